"""Live games of this server: who plays them, who may see what of them, and the routes for both.

- `tables` keeps what a transcript may not: hashes of links and sessions, private notes, who is away.
- `timing` says when a game with people goes on; `place` is a person's seat in it; `play` drives one game.
- `telling` turns what happens into messages, once for each view and language; `tail` does so for games that other
  processes play.
- `routes` is what browsers reach; its docstring is the contract that pages rely on.

What may live here: time, people and connections. What may not: rules, and what a view holds.
"""
