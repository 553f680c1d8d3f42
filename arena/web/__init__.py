"""Pages that talk: a game against a bot, a running event. On this machine alone, through a local server.

`server` answers requests that carry a token; `game` and `live` are what the two pages may ask for.
"""
