"""The one host of this process, for the pages that Streamlit runs in threads of their own."""

from dashboard.host import Host
from dashboard.hosting.door import Site

host: Host | None = None
site: Site | None = None
