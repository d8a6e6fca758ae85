"""How models write yes, no and nobody as values of an answer's keys, in both languages."""

NO = {"false", "no", "none", "null", "否", "不", "无", "没有"}
_YES = {"true", "yes", "是"}
_NOBODY = NO | {"nobody", "no one", "0", "-", "无人", "没有人"}


def is_no(value: object) -> bool:
    """Whether the value of a key says no."""
    return value is None or value is False or (isinstance(value, str) and value.strip().lower() in NO)


def is_empty(value: object) -> bool:
    """Whether it says nothing."""
    return value is None or (isinstance(value, str) and not value.strip())


def is_nobody(value: object) -> bool:
    """Whether the value of a target says that there is none."""
    if isinstance(value, str):
        return value.strip().lower() in {*_NOBODY, ""}
    return value is None or value is False or value == [] or (type(value) is int and value == 0)


def is_yes(value: object) -> bool:
    """Whether it says yes."""
    return value is True or (isinstance(value, str) and value.strip().lower() in _YES)
