"""The pages of live games that are not Streamlit's: plain HTML and JavaScript, and the policy they run under."""

from starlette.routing import BaseRoute

from dashboard.host import Host


def pages(host: Host) -> list[BaseRoute]:
    """The routes of these pages."""
    return []
