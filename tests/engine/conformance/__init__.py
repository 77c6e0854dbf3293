"""What every card game has to hold to: one suite for the core, one for each capability.

Each check is a function of an adapter, so that it can also be tried on a game that is broken on purpose.
"""
