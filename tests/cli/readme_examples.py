#!/usr/bin/env python3
"""The README's own cluster and model must work as they are written.

    readme_examples.py WEFTSIM SOURCE

Its first YAML block is my-cluster.yaml, its second the experiment on it; both are checked,
described and run beside a copy of the shipped files.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def main():
    weftsim, source = sys.argv[1], pathlib.Path(sys.argv[2])
    blocks = re.findall(r"```yaml\n(.*?)```", (source / "README.md").read_text(), re.DOTALL)
    if len(blocks) != 2:
        sys.exit(f"README.md has {len(blocks)} YAML blocks; a cluster and a model are expected")
    cluster, model = blocks
    with tempfile.TemporaryDirectory() as scratch:
        here = pathlib.Path(scratch)
        for folder in ("configs", "topologies", "workloads"):
            shutil.copytree(source / folder, here / folder)
        (here / "my-cluster.yaml").write_text(cluster)
        shutil.copytree(here / "workloads/llama3-8b", here / "my-model")
        (here / "my.yaml").write_text(model)
        for arguments in (["topology", "my-cluster.yaml"], ["check", "my.yaml"],
                          ["run", "my.yaml", "-q"]):
            subprocess.run([weftsim, *arguments], cwd=here, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
