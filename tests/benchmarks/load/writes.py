"""75 tables submit at once, each request sent three times: nothing lost, nothing twice, and how much slower it is.

    python -m tests.benchmarks.load.writes [--tables 75] [--pairs 25] [--leagues 1]

One submission at a time on the same production comes first, for the ratio. All matches of the league are entered and
confirmed: 25 pairs make 300 matches, so 1,800 requests of 600 writes; 84 such leagues, one after the other, make
50,400.
"""

import argparse

import django

django.setup()

from tests.benchmarks.load import production  # noqa: E402
from tests.reliability import writers  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=75)
    parser.add_argument("--pairs", type=int, default=25)
    parser.add_argument("--leagues", type=int, default=1)
    parser.add_argument("--times", type=int, default=3)
    options = parser.parse_args()
    with production.running("web", "worker", "mail", "beat") as site:
        alone = writers.league(site.environment, 9)
        with writers.writing(site.site, alone, clients=1) as people:
            pass
        before = production.told("one write after the other", people.ledger.seconds)
        whole = writers.Ledger()
        for _league in range(options.leagues):
            matches = writers.league(site.environment, options.pairs)
            with writers.writing(site.site, matches, clients=options.tables, times=options.times) as people:
                pass
            whole.submitted |= people.ledger.submitted
            whole.confirmed |= people.ledger.confirmed
            whole.seconds += people.ledger.seconds
            lost, doubled = whole.audit(site.postgresql)
            print(
                f"{len(whole.submitted) + len(whole.confirmed)} writes acknowledged, lost {lost}, doubled {doubled}; "
                f"refused {people.ledger.unexpected[:3]}; "
                f"all current {writers.current_after(site.postgresql):.1f} s later",
                flush=True,
            )
        at_once = production.told(f"{options.tables} tables at once", whole.seconds)
        print(f"p95 {at_once / before:.1f} times")


if __name__ == "__main__":
    main()
