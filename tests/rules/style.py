"""Sizes, and the words that house style keeps out."""

import re

from tree import Complaint, files, lines, main

MAX_FILE_LINES = 400
MAX_LINE = 100
MAX_FUNCTION_LINES = 60
OURS = ["sim", "tests", "scripts"]
SOURCE = {".hpp", ".cpp", ".py"}
UNFINISHED = re.compile(r"\b(" + "TO" + "DO|FIX" + r"ME|XX" + r"X)\b")

# `.base()` takes a quantity's unit away. core defines it; engine, results and cli hand bare numbers
# to SimGrid, HDF5 and tables; replay hands amounts and capacities to the engine. In a model the
# algebra of quantities does the work and a bare number is needed only where a count meets a size or
# inside one closed form: a handful of places a file. Twice that means a formula was written
# without units.
BARE_ALLOWED = {"core", "engine", "results", "cli"}
MAX_BARE = {"replay": 12}
MAX_BARE_IN_A_MODEL = 6

# The folder itself, and the file that a fuzzer writes thousands of times, named by its process.
SCRATCH = {"tests/core/scratch_folder.hpp", "tests/fuzz/parsers.cpp"}


def outside_quotations(numbered):
    """The lines without those of raw strings: what a program must print is not ours to break."""
    quoting = False
    for number, text in numbered:
        opens, closes = text.rfind('R"('), text.rfind(')"')
        if not quoting and opens < 0:
            yield number, text
        if opens >= 0 or closes >= 0:
            quoting = opens > closes


def size_complaints(path, numbered):
    if len(numbered) > MAX_FILE_LINES:
        yield Complaint(path, MAX_FILE_LINES + 1,
                        f"file of {len(numbered)} lines, at most {MAX_FILE_LINES}; "
                        "split it by subject")
    for number, text in outside_quotations(numbered):
        if len(text) > MAX_LINE:
            yield Complaint(path, number, f"line of {len(text)} characters, at most {MAX_LINE}")


def function_complaints(path, numbered):
    """By our brace style, a body opens with a brace alone on its line and closes in its column."""
    texts = [text for _, text in numbered]
    for index, text in enumerate(texts):
        opened = re.fullmatch(r"( *)\{", text)
        scope = re.match(r" *(template.*> *)?(namespace|class|struct|enum|union|extern)\b",
                         texts[index - 1] if index else "")
        if not opened or scope:
            continue
        closing = re.compile(opened.group(1) + r"\}")
        for length, later in enumerate(texts[index + 1:]):
            if closing.match(later):
                if length > MAX_FUNCTION_LINES:
                    yield Complaint(path, index + 1, f"function of {length} lines, at most "
                                    f"{MAX_FUNCTION_LINES}; give its steps names")
                break


def word_complaints(path, numbered):
    for number, text in numbered:
        if UNFINISHED.search(text):
            yield Complaint(path, number, "unfinished work is an issue, not a comment")
        if path.endswith(".hpp") and re.match(r"using\s+namespace\b", text):
            yield Complaint(path, number, "a header does not open a namespace for its readers")


def bare_complaints(path, numbered):
    parts = path.split("/")
    if parts[0] != "sim" or parts[1] in BARE_ALLOWED:
        return
    places = [number for number, text in numbered if ".base()" in text]
    limit = MAX_BARE.get(parts[1], MAX_BARE_IN_A_MODEL)
    if len(places) > limit:
        yield Complaint(path, places[limit],
                        f".base() on {len(places)} lines, at most {limit}; let quantities divide")


def scratch_complaints(path, numbered):
    """Tests run beside each other: a file of a fixed name in the shared folder is another's too."""
    if not path.startswith("tests/") or path in SCRATCH:
        return
    for number, text in numbered:
        if re.search(r"\b(temp_directory_path|TempDir)\(", text):
            yield Complaint(path, number, "files of a test live in a ScratchFolder")


def check(root):
    complaints = []
    for path in files(root, OURS, SOURCE):
        numbered = lines(root, path)
        name = path.as_posix()
        for rule in (size_complaints, word_complaints):
            complaints += rule(name, numbered)
        if path.suffix != ".py":
            complaints += function_complaints(name, numbered)
            complaints += bare_complaints(name, numbered)
            complaints += scratch_complaints(name, numbered)
    for path in files(root, ["configs", "topologies", "workloads", "cmake"],
                      {".yaml", ".cmake", ".txt"}):
        complaints += word_complaints(path.as_posix(), lines(root, path))
    return complaints


if __name__ == "__main__":
    main(check)
