"""What no honest person sends."""

import json
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

HUGE = str(10**400)
KEYS = ["0", "9223372036854775807", "9223372036854775808", "1" + "0" * 40, HUGE]
SLUGS = ["no-such", "a" * 3000, "-", "desk", "0"]
TEXTS = ["%00", "%ff%fe", "%ED%A0%80", "é", "a" * 3000, "..%2f..%2fetc%2fpasswd", "'%20OR%201=1--"]
BY_KIND = {"int": KEYS, "slug": SLUGS, "str": TEXTS, "path": TEXTS, "uuid": TEXTS}

METHODS = ["get", "head", "options", "post", "put", "patch", "delete", "trace", "brew"]

QUERY_NAMES = [
    "page", "q", "search", "next", "version", "division", "round", "status", "mine", "from", "to", "state", "club",
    "competition", "after_round", "kind", "player", "pair", "entry", "deal", "hand", "tab", "view", "seed", "lang",
]  # fmt: skip
QUERY_VALUES = [HUGE, "-1", "NaN", "%00", "%ff", "\U0001f0a1" * 50, ""]

# Those of them that a database is asked for; the others are refused, or mean nothing, before it comes to that.
AT_THE_DATABASE = [HUGE, "-1", "NaN", "%00"]

# For the fields of forms.
FIELD_VALUES = [
    "", HUGE, "-1", "0", "NaN", "Infinity", "1e999", "9" * 5000, "x" * 20_000, "\U0001f0a1\u202e", "9999-12-31",
    "0001-01-01", "2026-13-45T99:99", "[]", "{}", '{"deals": 5}', "[" * 5000, '{"deals": [{"hands": [[[[]]]]}]}',
    "https://evil.example/", "None", "on",
]  # fmt: skip
UNSTORABLE = ["\x00", "a\x00b", '{"deals": "\\u0000"}', '{"deals": "\\ud800"}']

JSON_BODIES = [
    "", "{", "nothing", "null", "5", '"text"', "[]", "[[]]", "{}", "NaN", "Infinity", "[NaN]", "1e999", "[1e999]",
    "9" * 5000, f"[{HUGE}]", "[" * 100_000, '{"a":' * 50_000, '{"a": "\\u0000"}', '{"\\ud800": 1}', '{"a": 1, "a": 2}',
    *('{"deals":' + "[" * depth + "]" * depth + "}" for depth in (48, 60, 880, 910, 930, 950, 970)),
    '{"deals": [' + "[" * 400 + "]" * 400 + "]}", '{"deals": ' + '{"a":' * 300 + "1" + "}" * 300 + "}",
]  # fmt: skip


OTHER_BODIES = [
    ("application/x-www-form-urlencoded", b"a=%00&b=%ff"),
    ("application/x-www-form-urlencoded", b"&" * 3000),
    ("application/x-www-form-urlencoded; charset=klingon", b"a=b"),
    ("multipart/form-data; boundary=x", b"--x\r\n\xff\xfe"),
    (
        "multipart/form-data; boundary=x",
        b'--x\r\nContent-Disposition: form-data; name="a\x00"\r\n\r\nb\r\n--x--',
    ),
    ("multipart/form-data", b"--x"),
    ("application/json; charset=klingon", b"{}"),
    ("application/json", bytes(range(256))),
    ("/", b"x"),
]


def files() -> list[SimpleUploadedFile]:
    """Files that are no lists of players."""
    return [
        SimpleUploadedFile("players.csv", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "text/csv"),
        SimpleUploadedFile("players.csv", "Anna;Ben".encode("utf-16"), "text/csv"),
        SimpleUploadedFile("players.csv", b'"never closed,' + b"x" * 200_000, "text/csv"),
        SimpleUploadedFile("players.csv", b"\x00" * 500, "text/csv"),
        SimpleUploadedFile("../../players\x00.csv", b"name\nAnna\n", "text/csv"),
        SimpleUploadedFile("players.csv", b"", "text/csv"),
        SimpleUploadedFile("players.csv", b"name,email\n" + b",\n" * 30_000, "text/csv"),
        SimpleUploadedFile("players.csv", b"," * 200_000, "text/csv"),
    ]


HEADERS: list[dict[str, str]] = [
    {"cookie": "sessionid=%00; csrftoken=x; messages=garbage; django_language=xx-yy", "accept": "x/y;q=NaN"},
    {"cookie": "sessionid=" + "x" * 5000, "accept-language": "x" * 5000, "if-none-match": "\xff"},
    {"cookie": "=;;;=a=b;\xff=\xfe", "accept-language": "de;q=1e999,*;q=-", "if-modified-since": "yesterday"},
    {"authorization": "Token \xff", "hx-request": "true", "hx-current-url": "http://[::1"},
    {"authorization": "Basic !!!", "content-type": "text/html; charset=klingon", "range": "bytes=-" + HUGE},
    {"x-forwarded-for": "x" * 2000, "idempotency-key": "\xff" * 100, "referer": "http://[::1"},
]

# Anything where a scoresheet should be. A few are odd, but sheets.
CARDS_TWICE = {"deals": [{"hands": ["As As As As As"] * 8}]}
SHEETS: list[Any] = [
    None, 5, "text", [], {}, {"deals": None}, {"deals": 5}, {"deals": "x"}, {"deals": {}}, {"deals": []},
    {"deals": [None]}, {"deals": [5, "x", [], {}]}, {"deals": [{}] * 5000}, CARDS_TWICE,
    {"deals": [{"hands": "As"}]}, {"deals": [{"hands": [5] * 8}]}, {"deals": [{"hands": [{}] * 500}]},
    {"deals": [{"hands": ["Xx Yy - > 1s 10s"] * 8}]}, {"deals": [{"hands": ["- " * 5000] * 8}]},
    {"deals": [{"hands": [{"cards": 5}, {"cards": {"N": 5}}, {"cards": {"Q": []}}, {"cards": [[]]}]}]},
    {"deals": [{"hands": [{"combination": 5}, {"combination": "royal"}, {"combination": []}, {"split": "9+9"}]}]},
    {"deals": [{"hands": [{"combination": "fours", "split": "4+1"}, {"combination": "fours", "split": [2, 2]}]}]},
    {"deals": [{"hands": [{"combination": "pair", "points": 10**400}]}]},
    {"deals": [{"total": {"NS": 10**400, "EW": -(10**400)}}]}, {"deals": [{"total": {"NS": 1.5, "EW": True}}]},
    {"deals": [{"total": {"NS": 10**18, "EW": 10**18}}]}, {"deals": [{"total": {"NS": -1, "EW": 0}}]},
    {"deals": [{"total": 5}, {"total": {"XX": 5}}, {"made": []}, {"points": "x"}, {"points": [10**400] * 8}]},
    {"deals": [{"dealer": 5, "deal": 5, "left": 5, "left_over": 5, "left_over_to": 5, "left_over_bonus": "x"}]},
    {"deals": [{"deal": "N:" + "A" * 5000}, {"left": {"N": 5, "Q": ["As"]}}, {"left_over": {"combination": {}}}]},
    {"deals": [{"total": {"NS": 5, "EW": 5}}], "first_dealer": 5}, {"deals": [], "first_dealer": [], "seats": 5},
    {"deals": [], "seats": {"N": 10**400, "E": "x", "S": None, "W": 1.5}}, {"deals": [], "seats": {"N": 1}},
    {"deals": [{"total": {"NS": 30, "EW": 20}}] * 64, "more": "x" * 50_000}, {"DEALS": []}, {"": {"": ""}},
]  # fmt: skip


def as_json(value: Any) -> str:
    """The value as a body."""
    return json.dumps(value)
