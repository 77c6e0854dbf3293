"""Everything that can be wrong with a written deal, in words (for R1 to R18).

Each says what is wrong and, where one is obvious, what would put it right. Hands are numbered from 1 for people,
while places count from 0 as the JSON does.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from engine.problems import impossible, inconsistent, suspicious
from engine.text import gettext_noop

missing = partial(impossible, is_missing=True)

# Reading

NOT_A_RECORD: Final = impossible("not-a-record", gettext_noop("A deal must be an object, not %(given)s."))
UNKNOWN_FIELD: Final = suspicious(
    "unknown-field", gettext_noop("“%(given)s” isn’t recognised. We skipped it.")
)
UNKNOWN_FIELD_NEAR: Final = suspicious(
    "unknown-field",
    gettext_noop("“%(given)s” isn’t recognised. We skipped it."),
    proposal=gettext_noop("Did you mean “%(near)s”?"),
)
BAD_SHAPE: Final = impossible("bad-shape", gettext_noop("We can’t read %(given)s under “%(field)s”."))
UNKNOWN_SEAT: Final = impossible(
    "unknown-seat", gettext_noop("“%(given)s” isn’t a seat. The seats are N, E, S and W.")
)
UNKNOWN_SIDE: Final = impossible("unknown-side", gettext_noop("“%(given)s” isn’t a side. Write NS or EW."))
UNKNOWN_CARD: Final = impossible(
    "unknown-card", gettext_noop("“%(given)s” isn’t a card. Write rank and suit, such as As, Td or 2c.")
)
UNKNOWN_COMBINATION: Final = impossible(
    "unknown-combination", gettext_noop("“%(given)s” isn’t a combination in Concerto.")
)
NO_SUCH_HAND_VALUE: Final = impossible(
    "three-pairs-in-hand",
    gettext_noop("Three pairs need six cards, so they can only count among the left-overs, not in a hand."),
    proposal=gettext_noop("Five of those cards make two pair."),
)
UNKNOWN_SPLIT: Final = impossible(
    "unknown-split", gettext_noop("“%(given)s” isn’t a split. Write two numbers, such as 3+1.")
)
NOT_A_NUMBER: Final = impossible(
    "not-a-number", gettext_noop("Points must be whole numbers, not “%(given)s”.")
)
NEGATIVE: Final = impossible("negative", gettext_noop("Points can’t be below 0, such as “%(given)s”."))
TOO_HIGH: Final = impossible("too-high", gettext_noop("No deal can be worth as much as %(given)s."))
BAD_DEAL: Final = impossible("bad-deal", gettext_noop("%(reason)s"))
DEAL_DIFFERS: Final = inconsistent(
    "deal-differs", gettext_noop("These aren’t the cards of the board for this deal.")
)
HANDS_COUNT: Final = impossible(
    "hands-count",
    gettext_noop("There are %(count)d hands here, but a deal has eight."),
    proposal=gettext_noop("If you don’t know a hand, leave its place empty."),
)
POINTS_COUNT: Final = impossible(
    "points-count", gettext_noop("There are points for %(count)d hands here, but a deal has eight.")
)
DEALER_MISSING: Final = missing(
    "dealer-missing", gettext_noop("Who dealt? We need to know that to read the hands.")
)
DEALER_DIFFERS: Final = inconsistent(
    "dealer-differs",
    gettext_noop("It was %(seat)s’s turn to deal, not %(claimed)s’s."),
    proposal=gettext_noop("%(seat)s deals."),
)
DEALER_DOUBTFUL: Final = impossible(
    "dealer-doubtful",
    gettext_noop("Every hand was played by the wrong side if %(seat)s dealt."),
    proposal=gettext_noop("Was it %(other)s who dealt?"),
)
LEADERS_DIFFER: Final = inconsistent(
    "leaders-differ",
    gettext_noop("Going by the leaders, %(claimed)s dealt. But %(seat)s did."),
    proposal=gettext_noop("Was it %(claimed)s who dealt?"),
)
LEADER_DIFFERS: Final = inconsistent(
    "leader-differs",
    gettext_noop("If %(dealer)s dealt, %(seat)s leads hand %(hand)d, not %(claimed)s."),
    proposal=gettext_noop("%(seat)s."),
)

# Cards

CARD_TWICE: Final = impossible(
    "card-twice",
    gettext_noop("The %(card)s is already in hand %(first)d, so it can’t be in hand %(hand)d too."),
)
CARD_TWICE_NEAR: Final = impossible(
    "card-twice", CARD_TWICE.message.template, proposal=gettext_noop("Was it the %(near)s?")
)
CARD_TWICE_IN_HAND: Final = impossible(
    "card-twice", gettext_noop("The %(card)s appears twice in hand %(hand)d.")
)
CARD_LEFT_TWICE: Final = impossible(
    "card-twice", gettext_noop("The %(card)s appears twice among the left-overs.")
)
CARD_LEFT_AND_PLAYED: Final = impossible(
    "card-twice", gettext_noop("The %(card)s was played in hand %(first)d, so %(seat)s can’t have it left.")
)
TOO_FEW_CARDS: Final = missing(
    "too-few-cards", gettext_noop("Hand %(hand)d has %(count)d cards so far. A hand has five.")
)
TOO_MANY_CARDS: Final = impossible(
    "too-many-cards", gettext_noop("Hand %(hand)d has %(count)d cards. A hand has five.")
)
TOO_MANY_IN_LIST: Final = impossible(
    "too-many-cards", gettext_noop("There are %(count)d cards in this list.")
)
WRONG_SIDE: Final = impossible(
    "wrong-side", gettext_noop("Hand %(hand)d belongs to %(side)s. %(seat)s doesn’t play in it.")
)
SEAT_TOO_MANY: Final = impossible(
    "seat-too-many",
    gettext_noop(
        "After hand %(hand)d %(seat)s would have played %(count)d cards, but everyone is dealt only 13."
    ),
)
SEAT_LEFT_TOO_MANY: Final = impossible(
    "seat-too-many",
    gettext_noop(
        "%(seat)s played %(played)d cards and can’t have %(left)d left, because everyone is dealt 13."
    ),
)
SEAT_LEFT_TOO_FEW: Final = impossible(
    "seat-too-few",
    gettext_noop(
        "%(seat)s played %(played)d cards and has %(left)d left. That leaves %(lost)d of the 13 missing."
    ),
)
SIDE_LEFT_COUNT: Final = impossible(
    "left-count", gettext_noop("%(side)s have %(count)d cards left. After eight hands a side has six.")
)
NOT_DEALT_TO: Final = impossible(
    "not-dealt-to", gettext_noop("The %(card)s was dealt to %(owner)s, so %(seat)s can’t have played it.")
)
NOT_DEALT_TO_SIDE: Final = impossible(
    "not-dealt-to",
    gettext_noop("The %(card)s was dealt to %(owner)s, so it can’t be in %(side)s’s hand %(hand)d."),
)
LEFT_NOT_DEALT_TO: Final = impossible(
    "not-dealt-to", gettext_noop("The %(card)s was dealt to %(owner)s, so %(seat)s can’t have it left.")
)
LEFT_INCOMPLETE: Final = inconsistent(
    "left-incomplete",
    gettext_noop("Going by the deal, %(seat)s must also have left: %(cards)s."),
    proposal=gettext_noop("Add: %(cards)s."),
)

# Lines of play (R4 to R7)

LINE_PASS: Final = impossible("line-illegal", gettext_noop("Hand %(hand)d, step %(step)d: %(reason)s"))
LINE_TOO_LONG: Final = impossible(
    "line-illegal",
    gettext_noop("Hand %(hand)d is complete with its fifth card, but “%(given)s” follows."),
)

# What the hands form

SPLIT_IMPOSSIBLE: Final = impossible(
    "split-impossible",
    gettext_noop("%(combination)s can’t be split %(split)s, only %(choices)s."),
)
SPLIT_FOURS: Final = impossible(
    "split-impossible",
    gettext_noop("Fours can’t be split %(split)s. The fifth card doesn’t count, so it must be %(choices)s."),
)
SPLIT_IDLE: Final = suspicious(
    "split-idle",
    gettext_noop("Hand %(hand)d: a split of %(split)s isn’t possible. It doesn’t count here anyway."),
)
COMBINATION_DIFFERS: Final = inconsistent(
    "combination-differs",
    gettext_noop("The cards of hand %(hand)d make %(computed)s, not %(claimed)s."),
    proposal=gettext_noop("Use %(computed)s."),
)
SPLIT_DIFFERS: Final = inconsistent(
    "split-differs",
    gettext_noop("Going by who played which card, hand %(hand)d is split %(computed)s, not %(claimed)s."),
    proposal=gettext_noop("Use %(computed)s."),
)
SPLIT_BY_COUNTS: Final = impossible(
    "split-impossible",
    gettext_noop("Hand %(hand)d can’t be split %(split)s. The two players don’t have enough cards for it."),
)
CANNOT_FORM: Final = impossible(
    "cannot-form",
    gettext_noop("Hand %(hand)d: %(combination)s isn’t possible with the cards that are left for it."),
)
CANNOT_FORM_SPLIT: Final = impossible(
    "cannot-form",
    gettext_noop(
        "Hand %(hand)d: %(combination)s, %(split)s, isn’t possible with the cards that are left for it."
    ),
)
HAND_NOT_DEALT: Final = impossible(
    "hand-not-dealt",
    gettext_noop("Hand %(hand)d: the cards dealt to %(side)s can’t make %(combination)s there."),
)
HAND_NOT_DEALT_SPLIT: Final = impossible(
    "hand-not-dealt",
    gettext_noop("Hand %(hand)d: the cards dealt to %(side)s can’t make %(combination)s, %(split)s, there."),
)
HANDS_NOT_DEALT: Final = impossible(
    "hands-not-dealt",
    gettext_noop("Hands %(hands)s: the cards dealt to %(side)s can’t make all of these."),
)
POINTS_DIFFER: Final = inconsistent(
    "points-differ",
    gettext_noop("Hand %(hand)d is %(combination)s, worth %(computed)d, not %(claimed)d."),
    proposal=gettext_noop("Write %(computed)d."),
)
POINTS_IN_DOUBT: Final = inconsistent(
    "points-differ",
    gettext_noop("Hand %(hand)d is %(combination)s, worth %(choices)s, not %(claimed)d."),
)
POINTS_TWICE: Final = inconsistent(
    "points-differ",
    gettext_noop("Hand %(hand)d has %(claimed)d points in one place and %(other)d in another."),
)
POINTS_IMPOSSIBLE: Final = impossible(
    "points-impossible", gettext_noop("No hand is worth %(claimed)d. A hand is worth %(choices)s.")
)

# Left-overs (R11 to R14)

LEFT_OVER_DIFFERS: Final = inconsistent(
    "left-over-differs",
    gettext_noop(
        "%(side)s’s six left-over cards make %(formed)s, worth %(computed)s, not %(combination)s, "
        "worth %(claimed)s."
    ),
)
LEFT_OVER_WRONG_SIDE: Final = impossible(
    "left-over-wrong-side",
    gettext_noop("%(side)s made more points (%(more)d to %(fewer)d), so they score the left-overs."),
    proposal=gettext_noop("The bonus goes to %(side)s."),
)
LEFT_OVER_TIE_SIDE: Final = impossible(
    "left-over-wrong-side",
    gettext_noop("Both made %(more)d points, so %(side)s, who did not deal, score the left-overs."),
    proposal=gettext_noop("The bonus goes to %(side)s."),
)
LEFT_OVER_BY_TOTALS: Final = impossible(
    "left-over-wrong-side",
    gettext_noop("At %(ns)d to %(ew)d %(side)s made more, so the bonus can’t go to %(other)s."),
    proposal=gettext_noop("The bonus goes to %(side)s."),
)
BONUS_IMPOSSIBLE: Final = impossible(
    "bonus-impossible", gettext_noop("No left-overs are worth %(claimed)d. The bonus must be %(choices)s.")
)
BONUS_DIFFERS: Final = inconsistent(
    "bonus-differs",
    gettext_noop("The left-overs give a bonus of %(computed)d, not %(claimed)d."),
    proposal=gettext_noop("Write %(computed)d."),
)
BONUS_IN_DOUBT: Final = inconsistent(
    "bonus-differs", gettext_noop("The left-overs can’t give a bonus of %(claimed)d. They give %(choices)s.")
)

# Sums

MADE_DIFFERS: Final = inconsistent(
    "made-differs",
    gettext_noop("%(side)s’s four hands come to %(computed)d, not %(claimed)d."),
    proposal=gettext_noop("Write %(computed)d."),
)
MADE_IN_DOUBT: Final = inconsistent(
    "made-differs", gettext_noop("With these hands, %(side)s can’t have made %(claimed)d.")
)
MADE_IMPOSSIBLE: Final = impossible("made-impossible", gettext_noop("Four hands can’t come to %(claimed)d."))
TOTAL_DIFFERS: Final = inconsistent(
    "total-differs",
    gettext_noop("%(side)s’s total comes to %(computed)d, not %(claimed)d."),
    proposal=gettext_noop("Write %(computed)d."),
)
TOTAL_BONUS_IMPOSSIBLE: Final = impossible(
    "total-impossible",
    gettext_noop(
        "%(side)s made %(made)d, so a total of %(claimed)d would mean a bonus of %(bonus)d. There’s "
        "no such bonus."
    ),
)
TOTAL_BONUS_WRONG_SIDE: Final = impossible(
    "left-over-wrong-side",
    gettext_noop("The bonus of %(bonus)d is counted for the wrong side. It belongs to %(side)s."),
    proposal=gettext_noop("North-South %(ns)d, East-West %(ew)d."),
)
TOTALS_IMPOSSIBLE: Final = impossible(
    "totals-impossible",
    gettext_noop(
        "A deal can’t end %(ns)d to %(ew)d. Four hands for each side and one bonus for the "
        "left-overs can’t give that."
    ),
)
TOTALS_DISAGREE: Final = inconsistent(
    "totals-disagree", gettext_noop("Given everything else here, the deal can’t end %(ns)d to %(ew)d.")
)

# Not given yet

EMPTY: Final = missing("empty", gettext_noop("Nothing is entered for this deal yet."))
INCOMPLETE: Final = missing("incomplete", gettext_noop("There isn’t enough here to score this deal."))
HAND_MISSING: Final = missing("hand-missing", gettext_noop("Hand %(hand)d (led by %(seat)s) is missing."))
SPLIT_MISSING: Final = missing(
    "split-missing",
    gettext_noop(
        "Hand %(hand)d is %(combination)s. How many did each partner play? The points depend on it."
    ),
)
LEFT_OVER_MISSING: Final = missing(
    "left-over-missing",
    gettext_noop("%(side)s’s left-overs are missing: their six cards, or their best combination."),
)
LEFT_OVER_SPLIT_MISSING: Final = missing(
    "split-missing",
    gettext_noop("%(side)s have %(combination)s left. How are they split? The bonus depends on it."),
)
TOTAL_MISSING: Final = missing("total-missing", gettext_noop("%(side)s’s total is missing."))

# Odd, but allowed

MADE_HIGH: Final = suspicious(
    "made-high", gettext_noop("%(side)s made %(made)d. Even perfect play rarely reaches that.")
)
MADE_NOTHING: Final = suspicious("made-nothing", gettext_noop("%(side)s scored nothing in all four hands."))
ALL_ALIKE: Final = suspicious("all-alike", gettext_noop("All eight hands are the same: %(combination)s."))
BONUS_HIGH: Final = suspicious(
    "bonus-high", gettext_noop("A bonus of %(bonus)d: left-overs are rarely worth so much.")
)
MANY_STRAIGHT_FLUSHES: Final = suspicious(
    "many-straight-flushes", gettext_noop("%(count)d straight flushes in one deal.")
)

# A whole scoresheet

NOT_A_SHEET: Final = impossible("not-a-sheet", gettext_noop("A scoresheet needs a list of deals."))
NO_DEALS: Final = missing("no-deals", gettext_noop("No deals entered yet."))
NEXT_DEAL_MISSING: Final = missing(
    "deal-missing", gettext_noop("Deal %(number)d is missing. The match wasn’t over.")
)
DEAL_AFTER_END: Final = impossible(
    "deal-after-end",
    gettext_noop("The match ended with deal %(last)d, when a side reached 100. There is no deal %(number)d."),
)
TOO_MANY_DEALS: Final = impossible(
    "too-many-deals", gettext_noop("There are %(count)d deals here, but a match has at most %(most)d.")
)
MATCH_TOTAL_DIFFERS: Final = inconsistent(
    "match-total-differs",
    gettext_noop("%(side)s’s total for the match comes to %(computed)d, not %(claimed)d."),
    proposal=gettext_noop("Write %(computed)d."),
)
SAME_DEAL: Final = suspicious(
    "same-deal", gettext_noop("Deals %(first)d and %(number)d are the same, hand for hand.")
)
