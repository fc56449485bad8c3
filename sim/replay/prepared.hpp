#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "replay/fold_bundle.hpp"
#include "spec/cluster.hpp"
#include "spec/workload.hpp"
#include "workload/task_graph.hpp"

namespace sim::replay
{

/// The last few values that were made from a key, while their sizes together stay below a limit.
template <typename Key, typename Value>
class Recent
{
public:
    explicit Recent(std::size_t limit) : limit_{limit} {}

    /// That of an equal key, or a new one: `make()`, whose size is `size(value)`.
    template <typename Make, typename Size>
    std::shared_ptr<const Value> get(const Key& key, const Make& make, const Size& size)
    {
        const auto known = std::find_if(kept_.begin(), kept_.end(),
                                        [&](const Entry& entry) { return entry.key == key; });
        if (known != kept_.end()) {
            std::rotate(known, known + 1, kept_.end());
            return kept_.back().value;
        }
        const auto value = std::make_shared<const Value>(make());
        const std::size_t needed = size(*value);
        if (needed > limit_) {
            return value;
        }
        kept_.push_back({key, value, needed});
        total_ += needed;
        while (total_ > limit_ || kept_.size() > kMost) {
            total_ -= kept_.front().size;
            kept_.erase(kept_.begin());
        }
        return value;
    }

private:
    static constexpr std::size_t kMost = 32;

    struct Entry {
        Key key;
        std::shared_ptr<const Value> value;
        std::size_t size = 0;
    };

    std::size_t limit_;
    std::size_t total_ = 0;
    std::vector<Entry> kept_;  ///< the last used last
};

/// What runs of like experiments share, made once: built fabrics by cluster, task graphs by
/// workload. Equal keys give equal values, so that a run's answer does not depend on what is kept.
/// Some 100 MB at most. Not for several threads at once.
class Prepared
{
public:
    [[nodiscard]] std::shared_ptr<const Bundled> fabric(const spec::ClusterSpec& cluster,
                                                        Links links);
    [[nodiscard]] std::shared_ptr<const workload::TaskGraph> graph(
        const spec::WorkloadSpec& workload);

private:
    struct FabricKey {
        spec::ClusterSpec cluster;
        Links links = Links::apart;
        friend bool operator==(const FabricKey&, const FabricKey&) = default;
    };

    Recent<FabricKey, Bundled> fabrics_{500'000};                        ///< links
    Recent<spec::WorkloadSpec, workload::TaskGraph> graphs_{4'000'000};  ///< tasks and slots
};

}  // namespace sim::replay
