"""The web app: a lobby, seats for people, live games, replays and standings."""
