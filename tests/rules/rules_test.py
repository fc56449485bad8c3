"""The rules themselves: each lets the right thing pass and catches the wrong one beside it."""

import pathlib
import tempfile
import unittest

import catalogue
import includes
import style


def words_of(check, tree):
    """What check says about a tree given as {path: text}."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, text in tree.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        return [str(complaint) for complaint in sorted(check(root))]


class Catalogue(unittest.TestCase):
    WHOLE = {
        "sim/fabric/catalogue.cpp": 'NetworkKind{"ring", add_ring, nullptr},\n',
        "sim/spec/fabric.hpp": 'kKind = "ring";\n',
        "sim/spec/node.hpp": "\n",
        "sim/fabric/ring.hpp": "", "sim/fabric/ring.cpp": "", "sim/fabric/ring.md": "",
        "tests/fabric/ring_test.cpp": "",
        "topologies/a.yaml": "fabric: { kind: ring }\n",
    }

    def test_a_whole_kind_is_right(self):
        self.assertEqual(words_of(catalogue.check, self.WHOLE), [])

    def test_each_part_is_missed(self):
        for path in ("sim/fabric/ring.md", "tests/fabric/ring_test.cpp"):
            tree = {name: text for name, text in self.WHOLE.items() if name != path}
            self.assertEqual(words_of(catalogue.check, tree),
                             [f'sim/fabric/catalogue.cpp:1: "ring" has no {path}'])
        tree = self.WHOLE | {"topologies/a.yaml": "# kind: ring\n"}
        self.assertEqual(words_of(catalogue.check, tree),
                         ['sim/fabric/catalogue.cpp:1: "ring" has no sample in topologies/'])


class Includes(unittest.TestCase):
    def one(self, path, line):
        return words_of(includes.check, {path: line + "\n"})

    def test_down_is_right(self):
        for path, line in [
            ("sim/spec/a.hpp", '#include "core/quantity.hpp"'),
            ("sim/engine/a.hpp", '#include "engine/engine.hpp"'),
            ("sim/collective/a.cpp", '#include "fabric/graph.hpp"'),
            ("sim/cli/a.cpp", '#include "config/load.hpp"'),
            ("sim/sweep/a.cpp", '#include "config/load.hpp"'),
            ("sim/config/a.cpp", '#include "spec/gpu.hpp"'),
        ]:
            self.assertEqual(self.one(path, line), [], path)

    def test_up_and_sideways_are_wrong(self):
        self.assertEqual(
            self.one("sim/core/a.hpp", '#include "spec/gpu.hpp"'),
            ["sim/core/a.hpp:1: spec stands above core; includes point down only"])
        self.assertEqual(
            self.one("sim/memory/a.cpp", '#include "compute/kernel_cost.hpp"'),
            ["sim/memory/a.cpp:1: compute stands beside memory; includes point down only"])

    def test_config_stands_beside(self):
        self.assertEqual(
            self.one("sim/config/a.cpp", '#include "fabric/graph.hpp"'),
            ["sim/config/a.cpp:1: config stands on core and spec alone, not on fabric"])
        self.assertEqual(
            self.one("sim/replay/a.cpp", '#include "config/load.hpp"'),
            ["sim/replay/a.cpp:1: config is called by cli and sweep alone, not by replay"])

    def test_paths_start_at_sim(self):
        self.assertEqual(
            self.one("sim/core/a.cpp", '#include "id.hpp"'),
            ['sim/core/a.cpp:1: "id.hpp" is no folder of sim/; '
             "name the file by its path from sim/"])

    def test_a_library_stays_at_home(self):
        self.assertEqual(self.one("sim/engine/a.cpp", "#include <simgrid/s4u.hpp>"), [])
        self.assertEqual(self.one("sim/replay/a.cpp", "#include <simgrid/s4u.hpp>"),
                         ["sim/replay/a.cpp:1: SimGrid belongs to engine, not to replay"])
        self.assertEqual(self.one("sim/cli/a.cpp", "#  include <hdf5.h>"),
                         ["sim/cli/a.cpp:1: HDF5 belongs to results, not to cli"])

    def test_fmt_and_nlohmann_stay_out_of_headers(self):
        self.assertEqual(self.one("sim/memory/a.cpp", "#include <fmt/format.h>"), [])
        self.assertEqual(
            self.one("sim/memory/a.hpp", "#include <fmt/format.h>"),
            ["sim/memory/a.hpp:1: fmt stays out of headers; include it in the .cpp"])
        self.assertEqual(self.one("sim/config/a.cpp", "#include <nlohmann/json.hpp>"), [])

    def test_standard_and_platform_are_free_and_strangers_are_not(self):
        for name in ["vector", "cstdint", "unistd.h", "sys/wait.h"]:
            self.assertEqual(self.one("sim/core/a.cpp", f"#include <{name}>"), [])
        self.assertEqual(
            self.one("sim/core/a.cpp", "#include <eigen3/Core>"),
            ["sim/core/a.cpp:1: <eigen3/Core> is of no library known here; give it a folder in "
             "tests/rules/includes.py"])

    def test_a_library_does_not_leak_through_headers(self):
        tree = {
            "sim/fabric/inner.hpp": "#include <boost/graph/adjacency_list.hpp>\n",
            "sim/fabric/outer.hpp": '#include "fabric/inner.hpp"\n',
            "sim/fabric/own.cpp": '#include "fabric/outer.hpp"\n',
            "sim/collective/a.cpp": '\n#include "fabric/outer.hpp"\n',
        }
        self.assertEqual(
            words_of(includes.check, tree),
            ['sim/collective/a.cpp:2: "fabric/inner.hpp" brings <boost/graph/adjacency_list.hpp> '
             "out of its folder; hide it behind a pointer to an implementation"])

    def test_the_own_header_comes_first(self):
        tree = {"sim/core/a.hpp": "", "sim/core/a.cpp": '#include "core/a.hpp"\n#include <map>\n'}
        self.assertEqual(words_of(includes.check, tree), [])
        tree["sim/core/a.cpp"] = '#include <map>\n#include "core/a.hpp"\n'
        self.assertEqual(
            words_of(includes.check, tree),
            ['sim/core/a.cpp:1: "core/a.hpp" comes first, to show that it compiles alone'])


class Style(unittest.TestCase):
    def one(self, path, text):
        return words_of(style.check, {path: text})

    def test_file_and_line_sizes_are_tight(self):
        self.assertEqual(self.one("sim/core/a.cpp", "x\n" * 400), [])
        self.assertEqual(
            self.one("sim/core/a.cpp", "x\n" * 401),
            ["sim/core/a.cpp:401: file of 401 lines, at most 400; split it by subject"])
        self.assertEqual(self.one("sim/core/a.cpp", "x" * 100), [])
        self.assertEqual(self.one("sim/core/a.cpp", "x" * 101),
                         ["sim/core/a.cpp:1: line of 101 characters, at most 100"])

    def test_quoted_output_may_be_long(self):
        long = "y" * 101
        self.assertEqual(self.one("sim/a/a.cpp", f'f(R"({long}\n{long}\n)");\nx\n'), [])
        self.assertEqual(self.one("sim/a/a.cpp", f'f(R"({long})");\n{long}\n'),
                         ["sim/a/a.cpp:2: line of 101 characters, at most 100"])

    def test_functions_are_short(self):
        def function(lines):
            return "void f()\n{\n" + "    x();\n" * lines + "}\n"

        self.assertEqual(self.one("sim/core/a.cpp", function(60)), [])
        self.assertEqual(
            self.one("sim/core/a.cpp", function(61)),
            ["sim/core/a.cpp:2: function of 61 lines, at most 60; give its steps names"])
        long_class = function(61).replace("void f()", "class F")
        self.assertEqual(self.one("sim/core/a.cpp", long_class), [])

    def test_headers_open_no_namespace(self):
        self.assertEqual(
            self.one("sim/core/a.hpp", "using namespace std;\n"),
            ["sim/core/a.hpp:1: a header does not open a namespace for its readers"])
        self.assertEqual(self.one("sim/core/a.hpp", "    using namespace std;\n"), [])
        self.assertEqual(self.one("sim/core/a.cpp", "using namespace std;\n"), [])

    def test_nothing_is_unfinished(self):
        for word in ("TO" + "DO", "FIX" + "ME"):
            self.assertEqual(
                self.one("configs/a.yaml", f"# {word}: later\n"),
                ["configs/a.yaml:1: unfinished work is an issue, not a comment"])
        self.assertEqual(self.one("sim/core/a.cpp", "// mastodon\n"), [])

    def test_tests_share_no_file(self):
        line = "auto path = testing::TempDir();\n"
        self.assertEqual(self.one("tests/core/a_test.cpp", line),
                         ["tests/core/a_test.cpp:1: files of a test live in a ScratchFolder"])
        self.assertEqual(self.one("tests/core/scratch_folder.hpp", line), [])

    def test_bare_numbers_are_few_in_models(self):
        text = "a.base();\n" * 7
        self.assertEqual(self.one("sim/memory/a.cpp", "a.base();\n" * 6), [])
        self.assertEqual(
            self.one("sim/memory/a.cpp", text),
            ["sim/memory/a.cpp:7: .base() on 7 lines, at most 6; let quantities divide"])
        self.assertEqual(self.one("sim/engine/a.cpp", text), [])
        self.assertEqual(self.one("tests/memory/a.cpp", text), [])


if __name__ == "__main__":
    unittest.main()
