"""Scenarios: questions to the referee as data. These cards, these choices: what happens, and by which knobs?

`file` reads a scenario, `script` answers the referee's requests out of it, `play` plays it, `ruling` says what
came out, `expect` compares this with what was expected, `consequences` takes it apart, `influence` finds the
knobs that mattered to each part, and `grounds` the cards and the rules of every game.
"""
