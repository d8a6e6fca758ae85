import pytest

from arena.names import LONGEST, check_name
from arena.terms import UnusableInput
from arena.texts import texts

LIKE_A_SEAT = [
    *(
        "3号",
        "３号",
        "第3号",
        "3號",
        "号3",
        "Ⅲ号",
        "叁号",
        "三号",
        "座位3",
        "玩家3",
        "第三号玩家",
        "3号位",
        "③",
        "三",
        "②号",
    ),
    *(
        "Seat3",
        "seat #3",
        "seat three",
        "3rd seat",
        "third seat",
        "the 3rd seat",
        "Seat III",
        "P3",
        "No. 3",
        "player_3",
    ),
    *("player-three", "Player No. 3", "3", "(3)", "seat 3.", "3 号", "S e a t 3", "Seat 3 (Anna)"),
    *("3号小明", "小明3号", "小明 ３ 號", "Anna: seat 3 is out", "Day 3", "night two", "第3天", "第三夜"),
    *("Seat 3, speech", "Seat 3 speech", "Sеat 3", "3号 发言", "Anna (seat 4)", "第三位", "第3名"),
]
LIKE_THE_REFEREE = [
    *(
        "裁判",
        "裁判：",
        "[裁判]",
        "裁 判",
        "“裁判”",
        "法官",
        "裁判\ufe0f",
        "the referee",
        "Referee:",
        "The  Moderator",
        "GOD",
    ),
    *(
        "R.e.f.e.r.e.e",
        "system",
        "裁判员",
        "管理员",
        "官方",
        "GM",
        "Game Master",
        "admin",
        "Rеferee",
        "Ref\u0435r\u0435e",
        "GΜ",
    ),
    *(
        "Referee Bob",
        "Bob the Judge",
        "裁判小王",
        "法官大人",
        "小王裁判",
        "系统公告",
        "系统消息",
        "官方公告",
        "System message",
        "Sheriff Bob",
        "Game over",
        "Réferee",
        "ⓡⓔⓕ",
        "Umpire",
    ),
    *("公告", "Nobody", "no one", "无人", "弃票", "所有人", "警长", "Sheriff", "Everyone"),
    *("Referee, aside", "=== Yours alone ===", "== 只有你知道 ==", "## System", "--- night ---"),
]
UNREADABLE = ["", " ", "\u3164", "\u3164\u3164", "A\u3164", "A\u200bnn", "A\nB", "\x1b[2J", "...", "x" * (LONGEST + 1)]
NAMES = [
    *(
        "小明",
        "Ann",
        "Anna Maria",
        "O'Neil",
        "张三",
        "李四",
        "王五",
        "裁缝",
        "神父",
        "Pi",
        "Novi",
        "Xi",
        "Vi",
        "Theo",
        "Player",
    ),
    *(
        "Seathra",
        "R2D2",
        "Agent 47",
        "三月",
        "号外",
        "Jean-Luc",
        "x" * LONGEST,
        "Zoë",
        "たろう",
        "Goddard",
        "第三者",
        "Анна",
        "Ελένη",
        "Anna, Duchess",
        "三 毛",
        "Max 2 Go",
        "官方正",
        "Penix",
        "Modesty",
        "Zoë Judgeson",
        "Sunday",
        "上帝之手",
    ),
]


@pytest.mark.parametrize("name", [*LIKE_A_SEAT, *LIKE_THE_REFEREE, *UNREADABLE])
def test_a_name_that_others_would_take_for_something_else_is_none(name: str) -> None:
    with pytest.raises(UnusableInput, match="is no name; allowed: "):
        check_name(name)


@pytest.mark.parametrize("name", [*NAMES, *texts("zh", "terms")["names"], *texts("en", "terms")["names"]])
def test_other_names_are_for_everybody(name: str) -> None:
    check_name(name)
