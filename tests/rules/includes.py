"""Includes point down only, and a third-party header stays in its folder.

A folder includes folders of lower floors; rooms of one floor do not know each other. `config`
stands beside the floors on `spec` alone and is called by `cli` and `sweep`.
"""

import re

from tree import Complaint, files, lines, main

FLOORS = [
    {"core"},
    {"spec"},
    {"engine", "memory", "compute", "fabric"},
    {"collective", "workload"},
    {"formats"},
    {"replay"},
    {"results"},
    {"sweep"},
    {"cli"},
]
FLOOR_OF = {folder: floor for floor, rooms in enumerate(FLOORS) for folder in rooms}
BESIDE = "config"
BESIDE_USES = {"core", "spec"}
BESIDE_USED_BY = {"sweep", "cli"}

EVERYWHERE = set(FLOOR_OF) | {BESIDE}


class Library:
    def __init__(self, name, pattern, folders, source_only=False):
        self.name = name
        self.pattern = re.compile(pattern)
        self.folders = folders
        self.source_only = source_only


LIBRARIES = [
    Library("SimGrid", r"(simgrid|xbt)/", {"engine"}),
    Library("Boost", r"boost/", {"fabric"}),
    # config reads our own YAML; formats reads other tools' YAML and may not reach up to config.
    Library("yaml-cpp", r"yaml-cpp/", {"config", "formats"}),
    Library("pugixml", r"pugixml\.hpp$", {"formats"}),
    Library("toml++", r"toml\+\+/", {"formats"}, source_only=True),
    Library("HDF5", r"(hdf5(_hl)?|H5\w+)\.h$", {"results"}),
    Library("protobuf", r"google/protobuf/|.*\.pb\.h$", {"formats"}),
    Library("RapidJSON", r"rapidjson/", {"formats"}),
    Library("libarchive", r"archive(_entry)?\.h$", {"formats"}),
    Library("MPI", r"mpi\.h$", {"sweep"}),
    Library("CLI11", r"CLI/", {"cli"}),
    Library("spdlog", r"spdlog/", {"core"}),
    Library("fmt", r"fmt/", EVERYWHERE, source_only=True),
    Library("muParser", r"muParser\.h$", {"config"}),
    Library("zlib", r"zlib\.h$", {"sweep"}),
    Library("nlohmann", r"nlohmann/", {"config", "results", "sweep", "cli"}, source_only=True),
]
# Standard C++ has neither a dot nor a slash; POSIX is the platform, not a third party.
STANDARD = re.compile(r"\w+$")
POSIX = re.compile(r"(unistd|fcntl|poll|signal|spawn|pthread|time|dirent|dlfcn|sched|sys/\w+)\.h$")

INCLUDE = re.compile(r'\s*#\s*include\s*(<([^>]+)>|"([^"]+)")')


def arrow_complaint(folder, target):
    """Why `folder` may not include `target`, or None when it may."""
    if target not in EVERYWHERE:
        return f'"{target}" is no folder of sim/; name the file by its path from sim/'
    if folder == target:
        return None
    if folder == BESIDE:
        allowed = target in BESIDE_USES
        return None if allowed else f"config stands on core and spec alone, not on {target}"
    if target == BESIDE:
        allowed = folder in BESIDE_USED_BY
        return None if allowed else f"config is called by cli and sweep alone, not by {folder}"
    if FLOOR_OF[target] < FLOOR_OF[folder]:
        return None
    place = "beside" if FLOOR_OF[target] == FLOOR_OF[folder] else "above"
    return f"{target} stands {place} {folder}; includes point down only"


def library_complaint(folder, is_header, name):
    """Why a file of `folder` may not include <name>, or None when it may."""
    for library in LIBRARIES:
        if not library.pattern.match(name):
            continue
        if folder not in library.folders:
            where = ", ".join(sorted(library.folders))
            return f"{library.name} belongs to {where}, not to {folder}"
        if is_header and library.source_only:
            return f"{library.name} stays out of headers; include it in the .cpp"
        return None
    if STANDARD.match(name) or POSIX.match(name):
        return None
    return f"<{name}> is of no library known here; give it a folder in tests/rules/includes.py"


def includes(root, path):
    """Triples (line, bracketed name or None, quoted name or None) of a file."""
    for number, text in lines(root, path):
        match = INCLUDE.match(text)
        if match:
            yield number, match.group(2), match.group(3)


def reached(header, quoted_of):
    """The header and every header of ours behind it."""
    seen, waiting = set(), [header]
    while waiting:
        name = waiting.pop()
        if name not in seen and name in quoted_of:
            seen.add(name)
            waiting += quoted_of[name]
    return seen


def is_third_party(bracketed):
    return any(library.pattern.match(bracketed) for library in LIBRARIES)


def leak_complaints(root, paths):
    """A header that names a third party must not be reached from another folder."""
    quoted_of, foreign_of = {}, {}
    for path in paths:
        if path.suffix == ".hpp":
            name = path.relative_to("sim").as_posix()
            found = list(includes(root, path))
            quoted_of[name] = [quoted for _, _, quoted in found if quoted]
            foreign_of[name] = [b for _, b, _ in found if b and is_third_party(b)]
    for path in paths:
        for number, _, quoted in includes(root, path):
            for header in sorted(reached(quoted, quoted_of)):
                if foreign_of[header] and header.split("/")[0] != path.parts[1]:
                    yield Complaint(path.as_posix(), number,
                                    f'"{header}" brings <{foreign_of[header][0]}> out of its '
                                    "folder; hide it behind a pointer to an implementation")


def own_header_complaints(root, paths):
    """A .cpp that includes its own header first proves that the header needs no other."""
    known = set(paths)
    for path in paths:
        header = path.with_suffix(".hpp")
        if path.suffix == ".cpp" and header in known:
            own = header.relative_to("sim").as_posix()
            number, _, quoted = next(includes(root, path), (1, None, None))
            if quoted != own:
                yield Complaint(path.as_posix(), number, f'"{own}" comes first, to show that it '
                                "compiles alone")


def check(root):
    paths = files(root, ["sim"], {".hpp", ".cpp"})
    complaints = list(leak_complaints(root, paths)) + list(own_header_complaints(root, paths))
    for path in paths:
        folder = path.parts[1]
        for number, bracketed, quoted in includes(root, path):
            if bracketed:
                words = library_complaint(folder, path.suffix == ".hpp", bracketed)
            else:
                words = arrow_complaint(folder, quoted.split("/")[0])
            if words:
                complaints.append(Complaint(path.as_posix(), number, words))
    return complaints


if __name__ == "__main__":
    main(check)
