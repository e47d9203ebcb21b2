"""Idioms of honest programs: each prints 7, as it would outside the jail.

What is refused here would be a wrong mark for a right program.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evaluator_service.schema import Judgement
from evaluator_service.verdicts import Verdict

pytestmark = pytest.mark.nsjail

PROGRAMS = {
    "asyncio": (
        "import asyncio\n"
        "async def f(): await asyncio.sleep(0.01); return 7\n"
        "print(asyncio.run(f()))"
    ),
    "threadpool": (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "with ThreadPoolExecutor(4) as e: print(sum(e.map(int,'1231')))"
    ),
    "procpool": (
        "from concurrent.futures import ProcessPoolExecutor\n"
        "def f(x): return x\n"
        "if __name__=='__main__':\n"
        "  with ProcessPoolExecutor(2) as e: print(sum(e.map(f,[3,4])))"
    ),
    "mppool": (
        "from multiprocessing import Pool\n"
        "def f(x): return x\n"
        "if __name__=='__main__':\n"
        "  with Pool(2) as p: print(sum(p.map(f,[3,4])))"
    ),
    "subprocess": (
        "import subprocess,sys\n"
        "print(subprocess.run(['/bin/sh','-c','echo 7'],capture_output=True,text=True).stdout.strip())"
    ),
    "subpython": (
        "import subprocess,sys\n"
        "print(subprocess.run([sys.executable,'-c','print(7)'],capture_output=True,text=True).stdout.strip())"
    ),
    "tempfile": (
        "import tempfile\n"
        "with tempfile.NamedTemporaryFile('w+') as f: f.write('7'); f.seek(0); print(f.read())"
    ),
    "sqlite": (
        "import sqlite3\nprint(sqlite3.connect(':memory:').execute('select 3+4').fetchone()[0])"
    ),
    "dataclass": (
        "from dataclasses import dataclass\n@dataclass\nclass A:\n  x:int=7\nprint(A().x)"
    ),
    "deep thread": (
        "import sys,threading\n"
        "sys.setrecursionlimit(10**6)\n"
        "threading.stack_size(512*1024*1024)\n"
        "def f(n): return 0 if n==0 else 1+f(n-1)\n"
        "def main(): print(7 if f(200000)==200000 else 0)\n"
        "t=threading.Thread(target=main); t.start(); t.join()"
    ),
    "deep main": (
        "import sys\n"
        "sys.setrecursionlimit(10**6)\n"
        "def f(n): return 0 if n==0 else 1+f(n-1)\n"
        "print(7 if f(100000)==100000 else 0)"
    ),
    "rlimit stack": (
        "import resource\n"
        "resource.setrlimit(resource.RLIMIT_STACK,(resource.RLIM_INFINITY,resource.RLIM_INFINITY))\n"
        "print(7)"
    ),
    "rlimit stack2": (
        "import resource,sys\n"
        "resource.setrlimit(resource.RLIMIT_STACK,[0x10000000,resource.RLIM_INFINITY])\n"
        "sys.setrecursionlimit(0x100000)\n"
        "print(7)"
    ),
    "stdin variants": ("import sys\nsys.stdin.readline()\nprint(7)"),
    "fileinput": ("import fileinput\nfor l in fileinput.input(): pass\nprint(7)"),
    "open0": ("data=open(0).read()\nprint(7)"),
    "fastio": (
        "import os,io\ninput=io.BytesIO(os.read(0,os.fstat(0).st_size)).readline\ninput()\nprint(7)"
    ),
    "mmap": ("import mmap\nm=mmap.mmap(0,0,access=mmap.ACCESS_READ)\nprint(7)"),
    "stdout buffer": ("import sys\nsys.stdout.buffer.write(b'7\\n')"),
    "stdout io": (
        "import sys,io\n"
        "sys.stdout=io.TextIOWrapper(sys.stdout.buffer,line_buffering=True)\n"
        "print(7)"
    ),
    "stdout left open": ("out=open(1,'w')\nout.write('7')"),
    "stdout closed": ("import sys\nprint(7)\nsys.stdout.close()"),
    "stdout silenced": ("import os,sys\nprint(7)\nsys.stdout=open(os.devnull,'w')"),
    "stdout collected": (
        "import atexit,io,sys\n"
        "sys.stdout=io.StringIO()\n"
        "atexit.register(lambda: sys.__stdout__.write(sys.stdout.getvalue()))\n"
        "print(7)"
    ),
    "exit": ("print(7)\nexit()"),
    "quit": ("print(7)\nquit(0)"),
    "zoneinfo": ("from zoneinfo import ZoneInfo\nZoneInfo('Europe/Berlin')\nprint(7)"),
    "decimal": ("from decimal import *\ngetcontext().prec=50\nprint(int(Decimal(49).sqrt()))"),
    "typing": ("from __future__ import annotations\nfrom typing import *\nprint(7)"),
    "pickle": (
        "import pickle\n"
        "class A: pass\n"
        "print(7 if isinstance(pickle.loads(pickle.dumps(A())),A) else 0)"
    ),
    "hashlib": ("import hashlib\nhashlib.sha256(b'x')\nprint(7)"),
    "bigint": ("import sys\nsys.set_int_max_str_digits(0)\nstr(10**10000)\nprint(7)"),
    "heap": ("import heapq,bisect,collections,itertools,functools,math,string,re,random\nprint(7)"),
    "numpy": (
        "import numpy as np\nnp.random.seed(0)\nprint(int(np.linalg.norm(np.array([0.0,7.0]))))"
    ),
    "input eof": ("try:\n  while True: input()\nexcept EOFError: print(7)"),
    "global main": ("def main():\n  global x\n  x=7\nmain()\nprint(x)"),
    "warn": ("import warnings\nwarnings.warn('x')\nprint(7)"),
    "logging": ("import logging\nlogging.basicConfig()\nlogging.error('x')\nprint(7)"),
    "signal alarm": ("import signal\nsignal.alarm(5)\nprint(7)"),
    "unicode": "print('7' if 'é'.encode() else 0)",
    "inspect": ("import inspect\ndef f(): pass\ninspect.getsource(f)\nprint(7)"),
    "traceback": (
        "import traceback\n"
        "try: 1/0\n"
        "except Exception: s=traceback.format_exc()\n"
        "print(7 if '1/0' in s else s)"
    ),
}


@pytest.mark.parametrize("files", [{}, {"beside.py": ""}], ids=["warm", "as a command"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_an_honest_program_runs_as_it_would_outside(
    judged: Callable[..., Judgement], name: str, files: dict[str, str]
) -> None:
    problem = {"kind": "stdio", "tests": [{"input": "abc\n", "expected": "7"}]}
    judgement = judged(PROGRAMS[name], problem, files=files)
    assert judgement.verdict is Verdict.ACCEPTED, judgement.tests[0]
