#!/usr/bin/env python3
"""A run and a sweep made by weftsim open in h5py and xarray without help."""
import os
import subprocess
import sys
import tempfile

import h5py
import xarray

binary, source = sys.argv[1:]
with tempfile.TemporaryDirectory() as directory:
    run, sweep = (os.path.join(directory, name) for name in ("run.h5", "sweep.h5"))
    cases = os.path.join(source, "tests", "cli")
    for command, name, to in (("run", "small.yaml", run), ("sweep", "small-sweep.yaml", sweep)):
        subprocess.run([binary, command, os.path.join(cases, name), "-q", "-o", to], check=True,
                       stdout=subprocess.DEVNULL)

    with h5py.File(run) as file:
        assert file.attrs["kind"] == "run", file.attrs["kind"]
        assert list(file.attrs["format"]) == [1, 3]
        assert file["summary/step_time"].attrs["units"] == "s"
        groups = list(file)
    # The tools that come with the two libraries read every group.
    for tool in (["h5dump", run], ["ncdump", run]):
        words = subprocess.run(tool, check=True, capture_output=True, text=True).stdout
        for name in groups:
            assert name in words, (tool, name)

    for name in groups:
        with xarray.open_dataset(run, group=name, engine="h5netcdf") as group:
            group.load()

    comm = os.path.join(directory, "comm.h5")
    cluster = os.path.join(source, "topologies", "hgx-h100-leaf-spine.yaml")
    subprocess.run([binary, "comm", "all_reduce", "--cluster", cluster, "-b", "1M", "-e", "4M",
                    "--set", "fabric.routing=ecmp", "--seeds", "4", "-o", comm], check=True,
                   stdout=subprocess.DEVNULL)
    with xarray.open_dataset(comm, group="spread", engine="h5netcdf") as spread:
        percentiles = spread.time.sel(statistic=["p5", "mean", "p95"]).values
        assert percentiles.shape == (3, 3), percentiles.shape
    with xarray.open_dataset(comm, group="replicates", engine="h5netcdf") as replicates:
        times = replicates.time.values
        assert times.shape == (3, 4), times.shape
    assert abs(times.mean(axis=1) - percentiles[:, 1]).max() < 1e-12, (times, percentiles)

    with xarray.open_dataset(run, group="classes", engine="h5netcdf") as classes:
        ledger = classes.time.sum("entry")
    with xarray.open_dataset(run, group="summary", engine="h5netcdf") as summary:
        step = float(summary.step_time)
        assert summary.step_time.attrs["long_name"]
    assert abs(ledger - step).max() < 1e-9 * step, (ledger, step)

    with h5py.File(sweep) as file:
        groups = list(file)
    for name in groups:
        with xarray.open_dataset(sweep, group=name, engine="h5netcdf") as group:
            if name != "verdicts":
                assert list(group["nic"].values) == ["400G", "800G"], name
            group.load()
    with xarray.open_dataset(sweep, group="spread", engine="h5netcdf") as spread:
        times = spread.step_time.sel(nic="800G", statistic=["p5", "mean", "p95"])
        assert times.dims == ("cluster.fabric.routing", "statistic")
    with xarray.open_dataset(sweep, group="replicates", engine="h5netcdf") as replicates:
        counts = replicates.step_time.count("replicate").sel(nic="400G")
        assert list(counts.values) == [1, 3], counts
