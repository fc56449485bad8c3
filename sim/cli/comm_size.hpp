#pragma once

#include <string>

#include "core/quantity.hpp"

namespace sim::cli
{

/// A size as nccl-tests writes it: K, M, G, T are powers of 1024, with or without a B after them.
/// Throws InputError at `key`.
[[nodiscard]] Bytes parse_comm_size(const std::string& text, const std::string& key);

}  // namespace sim::cli
