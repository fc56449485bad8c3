#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "collective/schedule.hpp"
#include "fabric/fabric.hpp"

namespace sim::test
{

/// Whose contributions a member holds of every chunk of its buffer, and which chunks it is
/// responsible for: runs planned flows on them. Something received is new, and added, or more
/// complete than what was there, and replaces it; anything else was counted twice.
class Holdings
{
public:
    using Chunks = std::set<std::size_t>;

    Holdings(const std::vector<GpuId>& members, collective::Kind kind, std::size_t chunks)
        : members_{members}, kind_{kind}, chunks_{chunks}
    {
        using collective::Kind;
        for (std::size_t i = 0; i < members.size(); ++i) {
            auto& member = state_[members[i]];
            member.holds.resize(chunks);
            for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
                const bool has = kind == Kind::all_gather  ? chunk * members.size() / chunks == i
                                 : kind == Kind::broadcast ? i == 0
                                                           : true;
                if (has) {
                    member.holds[chunk].insert(members[i]);
                    member.owns.insert(chunk);
                }
            }
        }
    }

    /// All flows of the schedule, in order.
    void run(const collective::Schedule& schedule, const fabric::Fabric& fabric)
    {
        const auto phases = schedule.phases.size();
        for (std::size_t p = 0; p < phases; ++p) {
            std::map<GpuId, std::size_t> through;
            for (const auto& flow : schedule.phases[p].flows) {
                for (const auto gpu : members_of(flow)) {
                    ++through[gpu];
                }
            }
            std::map<GpuId, std::size_t> passed;
            for (const auto& flow : schedule.phases[p].flows) {
                const auto from = flow.hops.front().from;
                // Flows through one member share its chunks: the i-th of m has every m-th of them.
                const Part part{passed[from], through[from]};
                for (const auto gpu : members_of(flow)) {
                    ++passed[gpu];
                }
                run(flow, part, Place{p, phases}, fabric);
            }
        }
    }

    void expect_done() const
    {
        using collective::Kind;
        const std::set<GpuId> everyone{members_.begin(), members_.end()};
        std::vector<std::size_t> whole_on(chunks_, 0);
        for (const auto& [gpu, member] : state_) {
            std::size_t whole = 0;
            for (std::size_t chunk = 0; chunk < chunks_; ++chunk) {
                const std::set<GpuId> wanted =
                    kind_ == Kind::broadcast ? std::set<GpuId>{members_.front()}
                    : kind_ == Kind::all_gather
                        ? std::set<GpuId>{members_[chunk * members_.size() / chunks_]}
                        : everyone;
                const bool right = member.holds[chunk] == wanted;
                whole += right ? 1 : 0;
                whole_on[chunk] += right ? 1 : 0;
            }
            const bool part = kind_ == Kind::reduce_scatter;
            const bool idle = kind_ == Kind::reduce && gpu != members_.front();
            const auto expected = part ? chunks_ / members_.size() : chunks_;
            if (!idle) {
                EXPECT_EQ(whole, expected) << "on GPU " << gpu.index();
            }
        }
        for (const auto count : whole_on) {
            EXPECT_GT(count, 0U);
        }
    }

private:
    struct Member {
        Chunks owns;
        std::vector<std::set<GpuId>> holds;
    };

    struct Part {
        std::size_t index;
        std::size_t of;
    };

    struct Place {
        std::size_t phase;
        std::size_t phases;
    };

    /// In the order of a ring, or of a chain from its sender on.
    static std::vector<GpuId> members_of(const collective::Flow& flow)
    {
        std::vector<GpuId> members;
        for (const auto& hop : flow.hops) {
            for (const auto gpu : {hop.from, hop.to}) {
                if (std::find(members.begin(), members.end(), gpu) == members.end()) {
                    members.push_back(gpu);
                }
            }
        }
        return members;
    }

    void run(const collective::Flow& flow, Part part, Place place, const fabric::Fabric& fabric)
    {
        using collective::Kind;
        const bool reduces = kind_ == Kind::reduce_scatter ||
                             (kind_ == Kind::all_reduce && 2 * place.phase < place.phases);
        const bool gathers = kind_ == Kind::all_gather ||
                             (kind_ == Kind::all_reduce && 2 * place.phase + 1 >= place.phases);
        if (flow.pipeline) {
            return kind_ == Kind::all_reduce ? trees(flow, part, fabric) : chain(flow, part);
        }
        if (reduces) {
            reduce_scatter(flow, part);
        }
        if (gathers) {
            all_gather(flow, part);
        }
    }

    [[nodiscard]] Chunks owned(GpuId gpu, Part part) const
    {
        Chunks chunks;
        for (const auto chunk : state_.at(gpu).owns) {
            if (chunk % part.of == part.index) {
                chunks.insert(chunk);
            }
        }
        return chunks;
    }

    void pass(GpuId from, GpuId to, std::size_t chunk)
    {
        const auto& sent = state_[from].holds[chunk];
        auto& held = state_[to].holds[chunk];
        std::set<GpuId> common;
        std::set_intersection(sent.begin(), sent.end(), held.begin(), held.end(),
                              std::inserter(common, common.end()));
        if (common == held) {
            held = sent;
        } else {
            EXPECT_TRUE(common.empty()) << "chunk " << chunk << " counted twice";
            held.insert(sent.begin(), sent.end());
        }
    }

    void reduce_scatter(const collective::Flow& flow, Part part)
    {
        const auto ring = members_of(flow);
        const auto shared = owned(ring.front(), part);
        ASSERT_EQ(shared.size() % ring.size(), 0U);
        const auto each = shared.size() / ring.size();
        std::size_t count = 0;
        for (const auto gpu : ring) {
            ASSERT_EQ(owned(gpu, part), shared);
        }
        for (const auto chunk : shared) {
            const auto owner = count++ / each;
            for (std::size_t step = 1; step < ring.size(); ++step) {
                pass(ring[(owner + step) % ring.size()], ring[(owner + step + 1) % ring.size()],
                     chunk);
            }
            for (const auto gpu : ring) {
                state_[gpu].owns.erase(chunk);
            }
            state_[ring[owner]].owns.insert(chunk);
        }
    }

    void all_gather(const collective::Flow& flow, Part part)
    {
        const auto ring = members_of(flow);
        Chunks all;
        for (std::size_t first = 0; first < ring.size(); ++first) {
            for (const auto chunk : owned(ring[first], part)) {
                ASSERT_TRUE(all.insert(chunk).second) << "two send chunk " << chunk;
                for (std::size_t step = 0; step + 1 < ring.size(); ++step) {
                    pass(ring[(first + step) % ring.size()], ring[(first + step + 1) % ring.size()],
                         chunk);
                }
            }
        }
        for (const auto gpu : ring) {
            state_[gpu].owns.insert(all.begin(), all.end());
        }
    }

    void chain(const collective::Flow& flow, Part part)
    {
        for (std::size_t chunk = part.index; chunk < chunks_; chunk += part.of) {
            for (const auto& hop : flow.hops) {
                pass(hop.from, hop.to, chunk);
            }
        }
    }

    /// Hops between nodes: one half of the chunks up and down the first tree, then the other half
    /// the second one.
    void trees(const collective::Flow& flow, Part part, const fabric::Fabric& fabric)
    {
        const auto across = [&](const collective::Hop& hop) {
            return fabric.node_of_gpu[hop.from.index()] != fabric.node_of_gpu[hop.to.index()];
        };
        const auto crossings = std::count_if(flow.hops.begin(), flow.hops.end(), across);
        std::ptrdiff_t crossed = 0;
        const auto chunks = owned(flow.hops.front().from, part);
        for (std::size_t i = 0; i < flow.hops.size(); ++i) {
            const auto& hop = flow.hops[i];
            for (const auto before : hop.waits) {
                EXPECT_LT(before, i);
                EXPECT_EQ(flow.hops[before].to, hop.from);
            }
            const bool half = across(hop);
            const std::size_t tree = half && 2 * crossed++ >= crossings ? 1 : 0;
            std::size_t count = 0;
            for (const auto chunk : chunks) {
                if (!half || count++ % 2 == tree) {
                    pass(hop.from, hop.to, chunk);
                }
            }
        }
    }

    std::vector<GpuId> members_;
    collective::Kind kind_;
    std::size_t chunks_;
    std::map<GpuId, Member> state_;
};

}  // namespace sim::test
