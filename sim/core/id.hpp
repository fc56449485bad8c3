#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace sim
{

/// The position of a thing in its table. Ids of different kinds do not mix, and have no arithmetic.
template <class Tag>
class Id
{
public:
    constexpr Id() = default;
    explicit constexpr Id(std::size_t index) : index_{static_cast<std::uint32_t>(index)} {}

    [[nodiscard]] constexpr std::uint32_t index() const { return index_; }
    friend constexpr auto operator<=>(Id, Id) = default;

private:
    std::uint32_t index_{};
};

using RankId = Id<struct RankTag>;                  ///< one GPU process of the job
using GpuId = Id<struct GpuTag>;                    ///< one GPU of the machine
using NodeId = Id<struct NodeTag>;                  ///< one server
using VertexId = Id<struct VertexTag>;              ///< one vertex of the fabric graph
using LinkId = Id<struct LinkTag>;                  ///< one direction of one cable or bus
using StreamId = Id<struct StreamTag>;              ///< one in-order queue of a rank
using CommunicatorId = Id<struct CommunicatorTag>;  ///< one ordered group of ranks
using ProgramId = Id<struct ProgramTag>;    ///< one task list, shared by the ranks that run it
using ResourceId = Id<struct ResourceTag>;  ///< one capacity of the engine
using ClassId = Id<struct ClassTag>;        ///< one class of ranks that behave the same

}  // namespace sim

template <class Tag>
struct std::hash<sim::Id<Tag>> {
    std::size_t operator()(sim::Id<Tag> id) const noexcept { return id.index(); }
};
