"""Judging on many machines: API processes and workers that share a Redis, with RQ between them.

::

    API process                          Redis                            worker process
    engine ── admission (admit.lua) ──▶  pending items, blobs,  ──▶  worker (RQ) ── runner ── judge
       ▲                                 RQ's queue of chunks                          │
       └──────── replies ◀─────────────  a reply list a process ◀── courier (finish.lua) ┘

An *item* is a run on its way: it is pending from its admission until it is answered or withdrawn, whatever
becomes of processes meanwhile. A *chunk* is a few items that travel as one RQ job. What an item needs travels as
*blobs* under their content hash. Whoever takes an item off the pending ones answers it; so it is answered once.
"""
