"""The rules of card games and of contests: pure Python, frozen values, no clock, no global randomness.

The games there are stand here, and their robots: to import anything of the engine is to have them in the registers.
"""

from engine.boards.files import played
from engine.bouillotte.game import BOUILLOTTE
from engine.brag.game import NINE_CARDS, SEVEN_CARDS, SIX_CARDS
from engine.burraco.game import BURRACO
from engine.concerto.game import CONCERTO
from engine.concerto.pbn import ConcertoSection
from engine.concerto.robots import registry
from engine.concerto.robots.expert.robot import EXPERT
from engine.concerto.robots.novice import NOVICE
from engine.concerto.robots.player import PLAYER
from engine.conquian.game import CONQUIAN
from engine.ecarte.game import ECARTE
from engine.fuenfzehnern.game import FUENFZEHNERN
from engine.game import register
from engine.kowah.game import KOWAH
from engine.pinochle.auction.game import AUCTION_PINOCHLE
from engine.pinochle.game import PINOCHLE
from engine.play_or_pay.game import PLAY_OR_PAY
from engine.poch.game import POCH_FOR_MANY
from engine.pontoon.game import PONTOON
from engine.primiera.game import PRIMERO, PRIMIERA
from engine.put_and_take.game import PUT_AND_TAKE
from engine.stealing_bundles.game import STEALING_BUNDLES
from engine.tien_len.game import TIEN_LEN
from engine.tute.game import TUTE_FOR_FOUR
from engine.twenty_down.game import TWENTY_DOWN

register(CONCERTO)
register(TUTE_FOR_FOUR)
register(PINOCHLE)
register(BURRACO)
register(ECARTE)
register(CONQUIAN)
register(TIEN_LEN)
register(FUENFZEHNERN)
register(AUCTION_PINOCHLE)
register(POCH_FOR_MANY)
register(PONTOON)
register(PUT_AND_TAKE)
register(NINE_CARDS)
register(SEVEN_CARDS)
register(SIX_CARDS)
register(PLAY_OR_PAY)
register(STEALING_BUNDLES)
register(TWENTY_DOWN)
register(KOWAH)
register(BOUILLOTTE)
register(PRIMIERA)
register(PRIMERO)
played.register(ConcertoSection())
for robot in (NOVICE, PLAYER, EXPERT):
    registry.register(robot)
