#pragma once

#include <functional>
#include <string>

namespace sim::engine
{

/// Runs `work` in a child process and returns the bytes it returns. SimGrid keeps one engine a
/// process and its clock does not restart, so each of its simulations gets a process of its own.
/// Exceptions of the kinds Error, InputError, Stalled and contract failures arrive in the parent as
/// the same kind; a child that dies is an Error that says how (signal, exit code).
[[nodiscard]] std::string in_child(const std::function<std::string()>& work);

}  // namespace sim::engine
