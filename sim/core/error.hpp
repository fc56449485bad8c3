#pragma once

#include <stdexcept>

namespace sim
{

/// The world failed: a file, a disk, a child process. Says what was being done to which path.
/// Caught once, in main, which exits with 1.
class Error : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

}  // namespace sim
