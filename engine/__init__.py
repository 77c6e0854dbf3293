"""The rules of card games and of contests: pure Python, frozen values, no clock, no global randomness.

The games there are stand here, and their robots: to import anything of the engine is to have them in the registers.
"""

from engine.concerto import robots
from engine.concerto.game import CONCERTO
from engine.concerto.robot_expert import EXPERT
from engine.concerto.robot_novice import NOVICE
from engine.concerto.robot_player import PLAYER
from engine.game import register

register(CONCERTO)
for robot in (NOVICE, PLAYER, EXPERT):
    robots.register(robot)
