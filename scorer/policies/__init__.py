"""The small functions that a ruleset's data names.

Who plays a round, how it is settled, when the game ends.
"""
