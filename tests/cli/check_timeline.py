"""Checks a timeline against the trace-event format and counts what is in it."""

import collections
import json
import sys

KEYS = {
    "X": {"ph", "name", "pid", "tid", "cat", "ts", "dur"},
    "M": {"ph", "name", "pid", "tid", "args"},
    "C": {"ph", "name", "pid", "tid", "ts", "args"},
}

with open(sys.argv[1], encoding="utf-8") as file:
    events = json.load(file)["traceEvents"]
spans = collections.defaultdict(list)
for event in events:
    assert set(event) == KEYS[event["ph"]], event
    if event["ph"] == "X":
        assert event["ts"] >= 0 and event["dur"] >= 0, event
        spans[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    elif event["ph"] == "C":
        assert all(-1e-6 <= value <= 100.001 for value in event["args"].values()), event
tracks = {process for process, _ in spans}
# Times are written to a tenth of a nanosecond.
overlaps = sum(
    later[0] < earlier[1] - 0.001
    for stream in spans.values()
    for earlier, later in zip(sorted(stream), sorted(stream)[1:])
)
print(f"{sum(map(len, spans.values()))} spans, {len(tracks)} tracks, {overlaps} overlaps")
