#pragma once

namespace sim::memory
{

/// Pages written to flash per page the host writes, for random writes spread evenly and blocks
/// collected oldest first.
///
/// With `room` pages of flash for every page of data, a block is collected after room/A host
/// writes a page; a page of it is still valid if none of them hit it:
///     v = exp(-room (1 - v)),  A = 1 / (1 - v).
/// Same as the Lambert-W form of Xiang and Kurkoski, arXiv:1110.4245 (room 1.3: 2.36, simulated
/// 2.35). Grows without bound as room comes down to 1.
[[nodiscard]] double write_amplification(double room);

}  // namespace sim::memory
