"""The figures of the expert's judgement: where each stands in one array, and their values.

They were found by tests/benchmarks/expert_fitting.py: four players with them play each other, and all figures together
go up the slope of what is made. docs/robots.md tells what they gave.
"""

from __future__ import annotations

from typing import Final

import numpy as np

# How surely partners find what their cards hold, by the number of cards played, 1 to 4.
FOUND_STRAIGHT_FLUSH, FOUND_FOURS, FOUND_FULL_HOUSE = 0, 4, 8
FOUND_FLUSH, FOUND_STRAIGHT, FOUND_THREES = 12, 16, 20
#: What is hoped for after a pass: a factor and an addend, by who passes (leader, partner), the passes before (0, 1)
#: and the cards played.
PASS_FACTOR, PASS_ADDEND = 24, 40
#: What a card is worth for later: for each card near it in its suit, for each of its suit beyond three, and for one,
#: two or three more of its rank.
KEEP_NEAR, KEEP_LONG, KEEP_ALIKE = 56, 57, 58
#: By how much that counts, by the number of the side's hands to come.
KEEP: Final = 61
#: What a lead is worth besides, by the number of the side's hands to come and by how many of its rank are held, 1 to
#: 4, and by how many other cards near it in its suit, 0 to 4.
LEAD_ALIKE, LEAD_NEAR = 65, 81
#: How much of what was told lasts into the side's next hand.
LASTS: Final = 101
#: In how many ways a card can go with a hand, as ``signs`` has them.
KINDS: Final = 8
#: Factors of odds after a card, by who played (leader, partner), the passes before (0 to 2), the cards on the table
#: (1, 2, more) and kind; then after a pass, by the same, with the passes before 0 or 1.
TOLD_BY_CARD: Final = 102
TOLD_BY_PASS: Final = TOLD_BY_CARD + 2 * 3 * 3 * KINDS
#: What a hand is worth, by the number of the side's hands to come and by its points 0 to 20.
WORTH: Final = TOLD_BY_PASS + 2 * 2 * 3 * KINDS
SIZE: Final = WORTH + 4 * 21

_TEXT: Final = """
1 0.929 1 1
0.824 0.974 1 1
0.957 0.871 0.854 0.935
0.952 1 1 1
0.848 0.702 0.871 0.992
0.89 0.981 1 1

0.885 0.898 0.871 0.895 0.793 0.839 0.916 0.702
0.811 0.856 0.89 0.917 0.847 0.83 0.959 0.767

-0.0856 0.541 0.469 0.292 -0.111 0.0437 -0.345 0.0725
0.475 0.701 0.273 -0.0382 -0.323 -0.103 -0.539 0.314

0.0372 0.0441 0.142 0.952 1.08

0 0.873 0.664 0.805

-0.435 0.0779 0.169 0.457
-0.173 0.143 -0.249 0.342
0.218 0.44 -0.244 -0.414
-0.531 0.422 -0.219 -0.127

-0.0922 0.276 0.168 -0.349 0.391
-0.191 0.165 0.393 0.199 -0.0894
0.00853 -0.176 0.328 0.119 -0.0155
0.119 0.0973 -0.0892 -0.179 -0.0267

0.442

1.05 1.6 1.2 1.35 1.03 0.814 0.746 0.757
2.09 2.23 1.92 1.64 0.964 0.776 0.621 0.918
1.16 1.24 1.67 0.766 0.7 0.95 1.37 0.804
1.79 1.79 1.38 1.38 1.05 0.917 0.917 1
3.94 1.52 1.02 1.16 1.33 0.757 0.703 1.19
1.01 1.87 1.8 1.86 0.555 0.856 0.935 0.899
1.79 1.79 1.38 1.38 1.05 0.917 0.917 1
3.41 1.48 1.06 2.2 1.37 0.641 0.717 1.07
1.23 1.22 1.08 1.27 1.03 0.971 0.96 0.87
0.801 0.801 0.718 0.718 0.887 1.15 1.15 1
3.8 2.12 0.776 0.775 1.11 0.77 0.893 0.931
1.91 1.41 2.81 2.84 0.598 0.658 0.627 1.15
0.801 0.801 0.718 0.718 0.887 1.15 1.15 1
2.25 3.1 1.02 0.7 1.19 0.877 0.888 1.18
1.48 0.593 2.01 3.86 0.629 0.499 1.2 0.922
0.801 0.801 0.718 0.718 0.887 1.15 1.15 1
3.83 3.11 0.576 0.626 1.05 1.05 1.33 1.04
1.78 1.36 3.83 2.37 0.757 0.602 0.606 0.992

0.428 0.369 1.09 0.908 0.56 1.59 1.46 0.979
1.05 0.424 0.813 0.598 1.09 1.04 1.07 1.01
0.266 0.219 0.2 0.175 0.653 1.07 1.19 0.974
0.376 0.4 0.847 0.819 0.965 1.26 1.05 0.724
1.1 0.678 0.737 0.733 1.07 1.66 1.69 0.651
0.159 0.16 0.212 0.275 0.814 1.11 1.81 1.23
0.411 0.569 0.614 0.745 0.561 1.02 1.15 0.898
0.506 0.622 0.41 0.616 1.05 0.973 0.89 1.29
0.264 0.221 0.228 0.14 0.907 1.03 0.975 0.957
0.315 0.401 0.531 0.526 0.62 0.775 1.01 0.899
0.476 0.694 0.679 0.712 0.764 1.15 0.972 1.23
0.248 0.185 0.186 0.326 0.928 0.815 1.25 1.07

0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20
0 0.28 0.403 2.99 4 4.09 6.15 7 8.42 9 10.1 11 12.2 13 14 14.3 16.6 17 18 19 19.8
0 1.43 1.69 3.26 4 3.83 5.28 7 7.75 9 9.24 11 11.2 13 14 15.1 16.9 17 18 19 20.3
0 0.906 1.87 3.68 4 4.52 5.97 7 8.81 9 9.97 11 10.8 13 14 15.3 16 17 18 19 20.5
"""
FIGURES: Final = np.array([float(figure) for figure in _TEXT.split()])
