"""Numbers as they come from outside: a database may fail where it is asked for one that it cannot hold."""

#: Of keys; of what is counted; of rounds, boards and versions.
LARGEST_KEY, LARGEST_COUNT, LARGEST_NUMBER = 2**63 - 1, 2**31 - 1, 2**15 - 1


def is_key(value: object) -> bool:
    """Whether a value of JSON can be the key of a row."""
    return type(value) is int and 0 < value <= LARGEST_KEY
