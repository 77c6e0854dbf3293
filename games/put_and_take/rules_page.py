"""What the page of the rules draws: what the cards are worth, and a deal that the engine has played."""

from typing import Any

from django.utils.translation import gettext as _

from engine.put_and_take.game import PUT_AND_TAKE
from engine.put_and_take.play import TURN, TURNED, due
from games.worked_deals import NAMES, Line

# Anna dealt. Whatever the page says of the deal, the engine works out.
DEALER = "1"
DEAL = (
    "- - - - | Js9s3c4h4sJc8hJh2dAhTcQs3d6cKd2h8d5cQd5dTh7dKsAcAs3s"
    "KhQc2s7c9c4c9d7h7s8cTdKc9h4d6d6s3h5hAd2c8sTs6h5sJdQh"
)


def worth() -> list[tuple[tuple[str, ...], str, str]]:
    """What a card of the same rank costs or wins, by the number of the card that was turned."""
    return [
        ((), _("Card %(number)d") % {"number": at + 1}, str(due(at, doubling=False))) for at in range(TURNED)
    ]


def content() -> dict[str, Any]:
    """The hands, what each card made players pay or take, and the score."""
    state = PUT_AND_TAKE.start(DEAL, DEALER, PUT_AND_TAKE.read_options({}), len(NAMES))
    turned = list[Line]()
    for number in range(2 * TURNED):
        before = state.so_far.points
        state = state.apply(TURN)
        moved = {place: points - before[place] for place, points in state.so_far.points.items()}
        said = [
            (_("%(name)s pays %(points)d") if points < 0 else _("%(name)s takes %(points)d"))
            % {"name": NAMES[str(place + 1)], "points": abs(points)}
            for place, points in moved.items()
            if points
        ]
        who = _("Put %(number)d") if number < TURNED else _("Take %(number)d")
        turned.append(
            Line(who % {"number": number % TURNED + 1}, [state.turned[-1]], ", ".join(said) or _("nobody"))
        )
    return {
        "values": worth(),
        "hands": [(NAMES[str(place + 1)], hand) for place, hand in state.setting.hands.items()],
        "turned": turned,
        "paid": state.so_far.dealer_paid,
        "scores": [(NAMES[seat], points) for seat, points in state.score().total.items()],
    }
