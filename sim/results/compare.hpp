#pragma once

#include <string>
#include <vector>

#include "results/document.hpp"

namespace sim::results
{

/// A number that several files have, and what it is in each.
struct Compared {
    std::string name;  ///< "step_time", "ledger compute_math", with the point's labels behind it
    std::string units;
    std::vector<double> values;  ///< one a file; NaN where a file lacks it

    [[nodiscard]] std::string number() const;  ///< "ledger compute_math"
    [[nodiscard]] std::string point() const;   ///< "nic 400G, routing even"; empty of a run
    [[nodiscard]] bool is_same() const;        ///< in all files
    /// Of the first file's value; NaN when that is 0 or absent.
    [[nodiscard]] double change(std::size_t file) const;
};

/// The step, rates and every ledger entry, exposed and hidden communication and mean use of the
/// files' points, aligned by name and by labels of axes. What is 0 or absent in all is left out.
[[nodiscard]] std::vector<Compared> compare(const std::vector<Document>& documents);

/// The ledger entries that moved most between the first two files' first common point, in words.
[[nodiscard]] std::string what_moved(const std::vector<Compared>& rows);

}  // namespace sim::results
