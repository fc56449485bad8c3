#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "formats/chakra_schema.hpp"
#include "formats/trace.hpp"

namespace sim::formats
{

/// The nodes of one rank's Chakra file as a rank of a trace.
class ChakraRank
{
public:
    /// `indices` says where in `labels` a name is; `groups` grows by what the nodes name.
    ChakraRank(ChakraSchema schema, std::map<std::string, std::uint32_t>& indices,
               std::vector<std::string>& labels, std::map<std::string, std::uint32_t>& groups)
        : schema_{schema}, indices_{indices}, labels_{labels}, groups_{groups}
    {
    }

    void add(const ChakraNode& node);
    /// Written by us: sizes are the trace's own.
    [[nodiscard]] bool own() const { return own_; }
    /// Joins dependences to nodes. What is put right is noted, what is wrong is listed.
    [[nodiscard]] TraceRank take(const std::string& file, Diagnostics& notes, Diagnostics& wrong);

private:
    static void add_compute(const ChakraNode& node, TraceNode& made);
    void add_communication(const ChakraNode& node, TraceNode& made);
    void join(std::size_t index);
    void order_what_stands_alone(const std::string& file, Diagnostics& notes);

    ChakraSchema schema_;
    std::map<std::string, std::uint32_t>& indices_;
    std::vector<std::string>& labels_;
    std::map<std::string, std::uint32_t>& groups_;
    TraceRank rank_;
    std::unordered_map<std::uint64_t, std::uint32_t> index_of_;  ///< node by id; only looked up
    std::vector<std::vector<std::uint64_t>> waits_for_;          ///< ids, by node
    std::vector<std::uint64_t> start_us_;
    std::vector<std::int64_t> stream_;
    std::size_t dangling_ = 0;
    bool own_ = false;  ///< written by us
    std::vector<std::string> wrong_;
};

}  // namespace sim::formats
