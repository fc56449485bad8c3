#pragma once

namespace sim::cli
{

/// What the shell is told.
enum ExitCode : int {
    kDone = 0,
    kWorldFailed = 1,  ///< a file, a disk, a child process
    kInputWrong = 2,
    kPointsFailed = 3,  ///< some points of a sweep
    kDoesNotFit = 4,    ///< into memory
    kBug = 5,
};

}  // namespace sim::cli
