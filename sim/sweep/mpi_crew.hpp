#pragma once

#include <memory>
#include <vector>

#include "sweep/crew.hpp"

namespace sim::sweep
{

/// The processes that one mpirun started, from the first call of MPI to the last.
class MpiSession
{
public:
    /// True when this process was started by mpirun or the like.
    [[nodiscard]] static bool wanted();

    MpiSession();
    MpiSession(const MpiSession&) = delete;
    MpiSession& operator=(const MpiSession&) = delete;
    ~MpiSession();

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return size_; }

    /// Waits for everybody.
    void meet() const;
    /// What rank 0 says.
    [[nodiscard]] int same_as_first(int value) const;

private:
    int rank_ = 0;
    int size_ = 1;
};

/// Rank 0 gives out its tasks one by one to whoever asks, itself included; the lists of the others
/// do not count. Must be made by every rank.
[[nodiscard]] std::unique_ptr<Crew> mpi_crew(const MpiSession& session,
                                             std::vector<std::size_t> tasks);

}  // namespace sim::sweep
