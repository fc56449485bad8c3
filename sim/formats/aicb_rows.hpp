#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/text_lines.hpp"
#include "workload/task_graph.hpp"

namespace sim::formats
{

/// A row of an AICB file.
struct AicbRow {
    enum class Way : std::uint8_t { collective, send, receive };

    TextLine line;
    Way way = Way::collective;
    workload::CollectiveKind kind = workload::CollectiveKind::all_reduce;
    std::string group;                      ///< "tp_group", ...
    std::optional<std::int64_t> members{};  ///< absent in files without that column
    std::int64_t bytes = 0;
    std::string label;
    bool to_next = true;  ///< a message's other end is the next stage's rank, not the one before's
    std::int64_t count = 1;
};

/// Rows of the same ranks: all, or a pipeline stage's.
struct AicbSection {
    std::vector<std::uint32_t> ranks;  ///< none: the file does not tell
    std::vector<AicbRow> rows;
};

/// Complaints go to `complaints`; the caller throws.
[[nodiscard]] std::vector<AicbSection> read_aicb_rows(const std::vector<TextLine>& lines,
                                                      TextComplaints& complaints);

}  // namespace sim::formats
