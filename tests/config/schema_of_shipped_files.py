#!/usr/bin/env python3
"""Every YAML file that is shipped is right by the schema of its kind.

    schema_of_shipped_files.py WEFTSIM SOURCE
"""

import json
import pathlib
import sys

from schema_files import Schemas, read

# By the folder's name, the longest that fits.
FOLDERS = {
    "topologies": "cluster",
    "configs": "experiment",
    "configs/sweeps": "sweep",
    "configs/hardware": "costs",
    "configs/hardware/collective": "cluster.collective",
    "configs/hardware/collective/transport": "cluster.collective.tuning.transport",
    "configs/hardware/collective/tuning": "cluster.collective.tuning",
    "configs/hardware/cost": "cluster.costs",
    "configs/hardware/framework": "workload.framework",
    "configs/hardware/gpu": "cluster.gpu",
    "configs/hardware/memory": "memory",
    "configs/hardware/memory/gpu": "gpu-memory",
    "configs/hardware/memory/stacks": "cluster.gpu.hbm",
    "configs/hardware/nic": "cluster.nic",
    "configs/hardware/nvlink": "cluster.nvlink",
    "configs/hardware/offload": "workload.offload",
    "configs/hardware/pcie": "cluster.pcie",
    "configs/hardware/ssd": "ssd",
    "configs/hardware/switch": "cluster.fabric.leaf",
    "configs/validation/clusters": "cluster",
    "tests/golden": "experiment",
    "tests/validation/memory": "memory",
}
# Folders with files of several kinds.
FILES = {
    "configs/hardware/ssd/seagate-es3-4tb.yaml": "hdd",
    "configs/validation/collective-systems.yaml": "measured-systems",
    "configs/validation/kernel-gpus.yaml": "measured-gpus",
    "configs/validation/step-systems.yaml": "measured-steps",
    "configs/validation/clusters/network.yaml": "cluster.fabric",
    "configs/validation/offload/a100-generate.yaml": "experiment",
    "configs/validation/offload/a100-vm.yaml": "cluster",
    "configs/validation/offload/azure-drive.yaml": "ssd",
    "configs/validation/offload/dgx-2.yaml": "cluster",
    "configs/validation/offload/dgx2-50b.yaml": "experiment",
    "configs/validation/offload/fastpersist.yaml": "cluster",
    "configs/validation/offload/gen3-drive.yaml": "ssd",
    "configs/validation/offload/gh200-14b.yaml": "experiment",
    "configs/validation/offload/h200-generate.yaml": "experiment",
    "configs/validation/offload/nd-h200-drive.yaml": "ssd",
    "configs/validation/offload/nd-h200-v5.yaml": "cluster",
    "configs/validation/offload/one-980.yaml": "experiment",
    "configs/validation/offload/one-thread.yaml": "experiment",
    "configs/validation/offload/twin-flow.yaml": "experiment",
    "configs/validation/offload/v100-512.yaml": "experiment",
    "configs/validation/offload/v100-generate.yaml": "experiment",
    "configs/validation/offload/v100-sxm-32gb.yaml": "cluster.gpu",
    "configs/validation/offload/v100-zero2.yaml": "experiment",
    "configs/validation/offload/v100-zero3.yaml": "experiment",
    "tests/golden/determinism.yaml": "sweep",
    "tests/cli/small.yaml": "experiment",
    "tests/cli/trace.yaml": "experiment",
    "tests/cli/small-sweep.yaml": "sweep",
    "tests/cli/failing-sweep.yaml": "sweep",
    "tests/sweep/small-sweep.yaml": "sweep",
    "tests/bench/sweep-1000.yaml": "sweep",
}


def main(binary, source):
    schemas = Schemas(binary)
    wrong = [f"the schema of {kind} has a key of which nothing is said"
             for kind in set(FOLDERS.values()) | set(FILES.values())
             if '"anyOf": []' in json.dumps(schemas.of(kind))]
    files = [path for folder in ("topologies", "workloads", "configs")
             for path in sorted((source / folder).rglob("*.yaml"))]
    files += [source / name for name in FILES if name.startswith("tests/")]
    for folder in ("tests/golden", "tests/validation/memory"):
        files += sorted((source / folder).glob("*.yaml"))
    for path in files:
        name = path.relative_to(source).as_posix()
        kind = FILES.get(name) or FOLDERS.get(path.parent.relative_to(source).as_posix())
        if kind is None:
            wrong.append(f"{name}: of what kind is it? Say so in this test")
            continue
        wrong += [f"{name}: {complaint}" for complaint in schemas.complaints(kind, read(path))]
    print("\n".join(wrong) or f"{len(files)} files are right")
    return 1 if wrong or len(files) < 100 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2])))
