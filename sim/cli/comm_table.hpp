#pragma once

#include <string>
#include <vector>

#include "cli/comm_bench.hpp"
#include "results/document.hpp"

namespace sim::cli
{

struct CommTable {
    std::vector<CommResult> rows;
    bool concurrent = false;  ///< several rows of a size ran together
};

/// nccl-tests' columns and what Weftsim adds.
[[nodiscard]] std::string comm_table(const CommTable& table);
[[nodiscard]] std::string comm_csv(const CommTable& table);
[[nodiscard]] std::string comm_json(const CommTable& table);
/// Group "comm" of a result file: one row a measurement.
[[nodiscard]] results::Document comm_document(const CommTable& table, const std::string& engine);

/// Per row: what binds, the busiest link of every class with the bytes that crossed it, and why
/// busbw may exceed a link's rate.
[[nodiscard]] std::string comm_explanation(const CommTable& table);

/// Elements of four bytes in the smaller buffer, and the reduction, as nccl-tests says them.
[[nodiscard]] std::int64_t element_count(const CommResult& row);
[[nodiscard]] const char* reduction(collective::Kind kind);

}  // namespace sim::cli
