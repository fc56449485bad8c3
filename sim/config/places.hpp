#pragma once

#include <memory>
#include <utility>

#include "core/diagnostics.hpp"

namespace sim::config
{

class Report;

/// Where the keys of what was read stand: for mistakes that only show when it is put to use.
class Places
{
public:
    Places() = default;
    /// `whole`: an experiment was read, else a cluster alone, whose keys have no "cluster.".
    Places(std::shared_ptr<const Report> report, bool whole);

    /// Each diagnostic where its key, or the nearest mapping around it, was written.
    [[nodiscard]] Diagnostics place(const Diagnostics& found) const;

    /// What `work` returns; its InputErrors with their places.
    template <class Work>
    auto around(Work work) const
    {
        try {
            return work();
        } catch (const InputError& error) {
            throw InputError{place(error.diagnostics())};
        }
    }

private:
    std::shared_ptr<const Report> report_;
    bool whole_ = true;
};

}  // namespace sim::config
