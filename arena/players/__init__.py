"""The players. They are given views and requests, and import neither state nor rules."""
