"""The lobby's form and list, as parts of a Streamlit page.

What may live here: widgets, and what is chosen with them as the keys of a seats file. What may not: whether that can be
played at; `arena.seating` says so.
"""
