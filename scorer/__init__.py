"""The game of 421 as a pure function of its events: hands, rulesets, states, records.

Knows nothing of cameras.
"""
