#!/usr/bin/env python3
"""How long 1,008 points take with one and two workers, and what planning a million costs.

    tests/bench/sweep_bench.py build/release/weftsim
"""
import os
import resource
import subprocess
import sys
import tempfile
import time

WEFTSIM = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
SWEEP = os.path.join(HERE, "sweep-1000.yaml")


def timed(*arguments):
    begun = time.monotonic()
    subprocess.run([WEFTSIM, "sweep", *arguments], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return time.monotonic() - begun


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    one = timed(SWEEP, "-q", "-j", "1", "-o", "one.h5")
    two = timed(SWEEP, "-q", "-j", "2", "-o", "two.h5")
    kept = timed(SWEEP, "-q", "-j", "2", "-o", "two.h5")
    print(f"1,008 points, one worker {one:.1f} s, two workers {two:.1f} s: {one / two:.2f} x")
    print(f"the same sweep again, everything kept: {kept:.2f} s, {kept:.2f} ms a point beyond "
          "simulation")
    with open("million.yaml", "w", encoding="utf-8") as file:
        base = os.path.join(HERE, "..", "..", "configs", "llama3-70b-128-h100.yaml")
        file.write(f"format: 1\nbase: {base}\n"
                   "axes:\n  seed: { from: 1, to: 1000, step: 1 }\n"
                   "  cluster.nic.bandwidth: { from: 400 Gbps, to: 499.9 Gbps, step: 0.1 Gbps }\n")
    plan = timed("million.yaml", "--dry-run", "-q")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"a million points planned in {plan:.1f} s; no process took more than {peak:.0f} MiB")
