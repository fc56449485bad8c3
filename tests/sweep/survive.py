#!/usr/bin/env python3
"""A sweep killed, out of disk, at a limit or spread by mpirun ends in the file it would have had.

    survive.py WEFTSIM SOURCE kill|disk|limit|mpi|signal

Exits 77, with the reason, where the machine does not let it be tried.
"""
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

WEFTSIM, SOURCE, WHAT = sys.argv[1:]
SWEEP = os.path.join(SOURCE, "tests", "sweep", "small-sweep.yaml")
KILLS = 100


def sweep(output, *more, **options):
    return subprocess.run([WEFTSIM, "sweep", SWEEP, "-q", "-o", output, *more],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                          **options)


def start(output, *more):
    return subprocess.Popen([WEFTSIM, "sweep", SWEEP, "-q", "-o", output, *more],
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def content(path):
    with open(path, "rb") as file:
        return file.read()


def reference():
    begun = time.monotonic()
    done = sweep("reference.h5")
    assert done.returncode == 0, done.stderr
    return content("reference.h5"), time.monotonic() - begun


def kill():
    """SIGKILL at a random instant, 100 times; after each the same command ends the work."""
    whole, seconds = reference()
    chance = random.Random(1)
    for number in range(KILLS):
        shutil.rmtree("killed.h5.points", ignore_errors=True)
        if number % 2:
            # The old file must stay as it is until the new one is whole.
            with open("killed.h5", "wb") as file:
                file.write(b"old")
        elif os.path.exists("killed.h5"):
            os.remove("killed.h5")
        process = start("killed.h5")
        time.sleep(chance.uniform(0, 1.1 * seconds))
        process.kill()
        process.communicate()
        if os.path.exists("killed.h5"):
            assert content("killed.h5") in (b"old", whole), "half a file"
        resumed = sweep("killed.h5")
        assert resumed.returncode == 0, (number, resumed.stderr)
        assert content("killed.h5") == whole, f"another file after kill {number}"
        left = [name for name in os.listdir(".") if "killed" in name]
        assert sorted(left) == ["killed.h5", "killed.h5.points"], left


def stop():
    """SIGINT and SIGTERM: 128 + signal, and the way to go on."""
    whole, _ = reference()
    for number in (signal.SIGINT, signal.SIGTERM):
        shutil.rmtree("stopped.h5.points", ignore_errors=True)
        process = start("stopped.h5", "-j", "1")
        while not (os.path.isdir("stopped.h5.points") and
                   any(os.path.getsize(os.path.join("stopped.h5.points", name)) > 0
                       for name in os.listdir("stopped.h5.points") if name.endswith(".points"))):
            time.sleep(0.001)
        process.send_signal(number)
        told = process.communicate()[1]
        assert process.returncode == 128 + number, (process.returncode, told)
        assert "the same command goes on from there" in told, told
        partial = sweep("partial.h5", "--collect")
        assert partial.returncode == 3 and "not simulated" in partial.stdout, partial
        assert sweep("stopped.h5").returncode == 0
        assert content("stopped.h5") == whole


def disk():
    """A full disk: what is finished stays, the message says what happened, more space ends it."""
    whole, _ = reference()
    os.mkdir("small")
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", "small"],
                             check=False, stderr=subprocess.PIPE, text=True)
    if mounted.returncode != 0:
        print("skipped: a small disk cannot be mounted:", mounted.stderr.strip())
        sys.exit(77)
    try:
        full = sweep("small/out.h5")
        assert full.returncode == 1, full
        assert "No space left on device" in full.stderr, full.stderr
        subprocess.run(["mount", "-o", "remount,size=4m", "small"], check=True)
        more = sweep("small/out.h5")
        assert more.returncode == 0, more
        assert content("small/out.h5") == whole
    finally:
        subprocess.run(["umount", "small"], check=True)


def limit():
    """No file may grow beyond a few records (ulimit -f): as with a full disk."""
    whole, _ = reference()

    def few_bytes():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20480, resource.RLIM_INFINITY))

    full = sweep("limited.h5", "-j", "1", preexec_fn=few_bytes)
    assert full.returncode == 1, full
    assert "File too large" in full.stderr, full.stderr
    assert not os.path.exists("limited.h5"), "half a file"
    more = sweep("limited.h5")
    assert more.returncode == 0, more
    assert content("limited.h5") == whole
    # The points are there and only the file of all of them is too large.
    os.remove("limited.h5")
    full = sweep("limited.h5", preexec_fn=few_bytes)
    assert full.returncode == 1 and "File too large" in full.stderr, full
    assert not os.path.exists("limited.h5"), "half a file"


def mpi():
    """Three ranks share the points of one sweep."""
    if shutil.which("mpirun") is None:
        print("skipped: there is no mpirun")
        sys.exit(77)
    whole, _ = reference()
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    done = subprocess.run(["mpirun", "--oversubscribe", "-n", "3", WEFTSIM, "sweep", SWEEP, "-q",
                           "-o", "mpi.h5"], env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert content("mpi.h5") == whole
    shards = [name for name in os.listdir("mpi.h5.points") if name.endswith(".points")]
    assert len(shards) > 1, f"one rank did all: {shards}"


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    {"kill": kill, "signal": stop, "disk": disk, "limit": limit, "mpi": mpi}[WHAT]()
