"""The characters, one module each (L10–L25). A new one: its module, its line in `table.py`, its name in `cards.py` and
`notation.py`.

A character with an active ability has `ability(sight, space)`: the numbers of all its legal uses from `space`, L8 and
L22 observed. A passive one has the table or function that the rule it changes asks. Basic moves are in `rules.py`.
"""
