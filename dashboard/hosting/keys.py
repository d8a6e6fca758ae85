"""Keys of endpoints that were typed in the lobby. They stay in this process: no file, page or log ever holds one."""

from collections.abc import Mapping

from pydantic import PrivateAttr

from arena.endpoint import EndpointPlan


class TypedKey(EndpointPlan):
    """A plan whose key was typed. The key is no field, so whatever writes the plan down leaves it out."""

    _typed: str = PrivateAttr(default="")

    def key(self) -> str:
        """The key that was typed."""
        return self._typed


def known_to(plans: Mapping[str, EndpointPlan], keys: Mapping[str, str]) -> dict[str, EndpointPlan]:
    """`plans` with `keys`, by the names of endpoints; those without one go by the environment as ever.

    Raises:
        UnusableInput: a key is in neither place.
    """
    known = {name: _with_key(plan, keys[name]) if keys.get(name) else plan for name, plan in plans.items()}
    for plan in known.values():
        plan.key()
    return known


def _with_key(plan: EndpointPlan, key: str) -> TypedKey:
    typed = TypedKey.model_validate(plan.model_dump())
    typed._typed = key
    return typed
