#pragma once

#include <string>

namespace sim::cli
{

/// The answer, complete on stdout or Error (a closed pipe, a full disk).
void print(const std::string& answer);

/// A line on stderr.
void complain(const std::string& line);

}  // namespace sim::cli
