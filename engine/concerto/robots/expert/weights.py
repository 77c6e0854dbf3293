"""The figures of the expert's judgement: where each stands in one array, and their values.

They were found by tests/benchmarks/expert_fitting.py: small random changes of a few at a time, each kept when four
players with it made more points in 1,500 random deals, and not fewer in 1,500 others, than without it. docs/robots.md
tells what they gave.
"""

from __future__ import annotations

from typing import Final

import numpy as np

# How surely partners find what their cards hold, by the number of cards played, 1 to 4.
FOUND_STRAIGHT_FLUSH, FOUND_FOURS, FOUND_FULL_HOUSE = 0, 4, 8
FOUND_FLUSH, FOUND_STRAIGHT, FOUND_THREES = 12, 16, 20
#: What is hoped for after a pass: a factor and an addend, by the passes before (0, 1) and the cards played.
PASS_FACTOR, PASS_ADDEND = 24, 32
#: What a card is worth for later: for each card near it in its suit, for each of its suit beyond three, and for one,
#: two or three more of its rank.
KEEP_NEAR, KEEP_LONG, KEEP_ALIKE = 40, 41, 42
#: By how much that counts, by the number of the side's hands to come.
KEEP = 46
#: Factors of odds, by who played (leader, partner), kind and number of cards; then for a pass, by kind and number.
TOLD_BY_CARD, TOLD_BY_PASS = 50, 74
#: What a hand is worth, by the number of the side's hands to come and by its points 0 to 20.
WORTH = 90
SIZE: Final = WORTH + 4 * 21

_TEXT: Final = """
0.957 0.957 0.957 0.957
0.903 0.965 1 0.965
0.868 0.951 0.951 0.951
0.95 1 0.95 1
0.739 0.739 0.739 0.94
0.946 1 0.946 1

0.95 0.95 0.95 0.95
0.935 0.917 0.917 0.845
0.113 -0.0555 0.0496 0.0496
-0.322 -0.322 -0.322 0.0299

0.0441 0.0412 0.0509 0.96 0.897 0
0 0.829 0.982 0.829

2.07 2.32 1.26
1.19 2.11 1.63
1.47 1.2 0.899
1 0.606 0.955
0.779 3 1.42
0.508 0.961 3.47
0.806 1.4 1.08
0.905 1.13 0.649
0.6 0.6 0.247
0.9 0.528 0.206
0.585 0.708 0.945
0.652 1.34 1.2
1 1 1
1

0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20
0 1 1.54 3 4 5.03 6 7 8 9 10.2 11 12 13 14 15 16 17 18 19 20
0 1 1.48 3 4 4.32 6 7 8 9 9.04 11 11.7 13 14 14.7 16 17 18 19 20
0 1 2 3.72 4 4.59 6 7 8 9 10 11 12 13 14 15.2 16 17 18 19 20
"""
FIGURES: Final = np.array([float(figure) for figure in _TEXT.split()])
