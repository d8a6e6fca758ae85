"""Villager: no power but voice and vote."""

from arena.roles.ability import Role

ROLE = Role(
    name="villager",
    faction="village",
    side="civilians",
    title={"zh": "村民", "en": "Villager"},
    card={
        "zh": "你是普通村民，没有特殊能力。靠听发言、看票型找出狼人。",
        "en": "You are a plain villager without any power. Listen, watch the votes, and find the werewolves.",
    },
)
