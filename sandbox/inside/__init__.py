"""The code that runs in the jail: standard library and msgpack only.

It is mounted there read-only as the package ``inside``; the outside imports only ``inside.wire``.
"""
