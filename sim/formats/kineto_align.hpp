#pragma once

#include <vector>

#include "formats/kineto_rank.hpp"
#include "formats/kineto_recording.hpp"
#include "formats/trace.hpp"

namespace sim::formats
{

/// Brings the ranks' clocks together by the ends of the collectives they share, lets every rank
/// begin as much later as it did, and gives every collective the shortest of its members' times:
/// the others' hold their waiting for the last. Sets the trace's recorded time.
void align_kineto(const std::vector<KinetoRecording>& recordings, std::vector<KinetoRank>& ranks,
                  Trace& trace);

}  // namespace sim::formats
