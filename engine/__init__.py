"""The rules of card games and of contests: pure Python, frozen values, no clock, no global randomness.

The games there are stand here: to import anything of the engine is to have them in the register.
"""

from engine.concerto.game import CONCERTO
from engine.game import register

register(CONCERTO)
