"""The table: a component of plain HTML, CSS and JavaScript that steps through the frames of a view.

It is given only what the view holds. All text enters the page as text, never as markup. The same files serve the
pages of Streamlit (`dashboard.viewer.component`) and the exported file (`dashboard.export`).
"""

import re
from pathlib import Path

_HERE = Path(__file__).parent
_STYLES = ("tokens", "parts", "frame", "stage", "seats", "middle", "time", "panel", "help", "small")
_MODULES = (
    "dom", "geometry", "story", "address", "middle", "seats", "stage", "arrows", "marks", "time",
    "log", "tables", "panel", "help", "keys", "viewer",
)  # fmt: skip
"""In the order in which they need each other."""

_IMPORT = re.compile(r'^import [^;]+ from "\./[a-z]+\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:const|function|class) (\w+))", re.MULTILINE)


def markup() -> str:
    """The HTML of the table, without anything in it."""
    return (_HERE / "table.html").read_text(encoding="utf-8")


def style(*more: str) -> str:
    """The CSS of the table, and then that of the files `more`."""
    return _css(*_STYLES, *more)


def script(entry: str) -> str:
    """The JavaScript of the table as one module that needs no other file; `entry` is the file that starts it."""
    return _js(*_MODULES, entry)


def sheet_style() -> str:
    """The CSS of a table beside the table."""
    return _css("tokens", "parts", "sheet")


def sheet_script() -> str:
    """The JavaScript of a table beside the table."""
    return _js("dom", "sheet")


def _css(*names: str) -> str:
    return "\n".join((_HERE / f"{name}.css").read_text(encoding="utf-8") for name in names)


def _js(*names: str) -> str:
    *modules, entry = names
    return "\n".join([*(_scope(_source(name)) for name in modules), _source(entry)])


def _source(name: str) -> str:
    return _IMPORT.sub("", (_HERE / f"{name}.js").read_text(encoding="utf-8"))


def _scope(source: str) -> str:
    """A module as a scope of its own, of which only what it exports is to be seen by those that follow."""
    exported = ", ".join(name for _, name in _EXPORT.findall(source))
    inside = _EXPORT.sub(r"\1", source)
    return f"const {{ {exported} }} = (() => {{\n{inside}return {{ {exported} }};\n}})();"
