#pragma once

#include <string>
#include <vector>

#include "cli/comm_bench.hpp"
#include "results/document.hpp"
#include "results/summary.hpp"

namespace sim::cli
{

/// A row over the seeds: seconds and bytes/s.
struct CommSpread {
    results::Statistics time;
    results::Statistics alone;
    results::Statistics algbw;
    results::Statistics busbw;
    std::vector<double> times;  ///< by seed
};

struct CommTable {
    std::vector<CommResult> rows;
    std::vector<CommSpread> spreads{};  ///< by row
    bool concurrent = false;            ///< several rows of a size ran together
    bool one_draw = false;              ///< of a hash or a random placement

    [[nodiscard]] std::size_t seeds() const { return spreads.front().times.size(); }
};

/// What was asked for, for the attributes of a file.
struct CommOrigin {
    std::string engine;
    std::uint64_t seed = 0;
};

/// nccl-tests' columns and what Weftsim adds.
[[nodiscard]] std::string comm_table(const CommTable& table);
[[nodiscard]] std::string comm_csv(const CommTable& table);
[[nodiscard]] std::string comm_json(const CommTable& table);
/// Group "comm" of a result file: one row a measurement; over several seeds also "spread" and
/// "replicates".
[[nodiscard]] results::Document comm_document(const CommTable& table, const CommOrigin& origin);

/// Per row: what binds, the busiest link of every class with the bytes that crossed it, and why
/// busbw may exceed a link's rate.
[[nodiscard]] std::string comm_explanation(const CommTable& table);

/// Elements of four bytes in the smaller buffer, and the reduction, as nccl-tests says them.
[[nodiscard]] std::int64_t element_count(const CommResult& row);
[[nodiscard]] const char* reduction(collective::Kind kind);

}  // namespace sim::cli
