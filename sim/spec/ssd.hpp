#pragma once

#include <optional>
#include <string>

#include "core/diagnostics.hpp"
#include "core/quantity.hpp"
#include "spec/pcie.hpp"

namespace sim::spec
{

/// NAND dies on the channels of one controller.
struct FlashSpec {
    int channels = 0;
    int dies = 0;             ///< on one channel
    int planes = 0;           ///< of one die; all program together
    int reads_at_once = 0;    ///< pages one die reads at addresses of their own, 1 to planes
    Bytes page{};             ///< data of one plane's page
    int pages_per_block = 0;  ///< erased together
    int program_pages = 1;    ///< of a plane, written in one operation: the bits of a cell
    Bytes die{};              ///< data one die holds
    Time tR{};                ///< cells to register
    Time tPROG{};             ///< registers of all planes to cells, a page each: the operation
                              ///< takes program_pages times that
    Time tERASE{};            ///< one block of every plane
    Bandwidth bus{};          ///< of one channel
    Bytes read_unit{};        ///< the least that leaves a register: a code word
    friend bool operator==(const FlashSpec&, const FlashSpec&) = default;
};

/// Cells written one bit each, to be rewritten later.
struct SlcCacheSpec {
    Bytes size{};  ///< 0: none
    Time tPROG{};  ///< as FlashSpec's, of such cells
    bool folds =
        true;  ///< a full cache must be moved on as fast as it is filled; false: it is passed
    friend bool operator==(const SlcCacheSpec&, const SlcCacheSpec&) = default;
};

struct SsdControllerSpec {
    Time read_latency{};                     ///< of a read, without cells, bus and link
    Time write_latency{};                    ///< until the write buffer has the data
    std::optional<Bandwidth> flash_write{};  ///< to all dies, relocated data too: power, buffers
    std::optional<double> commands{};        ///< a second
    double map_misses = 0;  ///< share of random reads that first read the map from flash: no DRAM
    friend bool operator==(const SsdControllerSpec&, const SsdControllerSpec&) = default;
};

/// What the vendor promises, host bytes.
struct EnduranceSpec {
    double drive_writes_per_day = 0;  ///< of random writes
    double years = 0;
    friend bool operator==(const EnduranceSpec&, const EnduranceSpec&) = default;
};

/// What the vendor states the drive does; to be compared, never used.
struct SsdSheet {
    std::optional<Bandwidth> sequential_read{};
    std::optional<Bandwidth> sequential_write{};
    std::optional<double> random_read{};           ///< 4 KiB reads a second
    std::optional<double> random_write{};          ///< 4 KiB writes a second, sustained
    std::optional<double> sequential_endurance{};  ///< bytes writable in order over in random order
    std::optional<double> mixed{};                 ///< 4 KiB, 70 % reads, a second
    int queue_depth = 0;                           ///< at which the sheet holds, all threads
    int mixed_queue_depth = 0;                     ///< and the mixed figure
    friend bool operator==(const SsdSheet&, const SsdSheet&) = default;
};

/// A drive of NAND flash, or a stack of it on a link of its own (high-bandwidth flash).
struct SsdSpec {
    std::string name{};
    std::string kind{};
    FlashSpec flash{};
    SlcCacheSpec slc{};
    SsdControllerSpec controller{};
    std::optional<PcieSpec> pcie{};   ///< exactly one of
    std::optional<Bandwidth> link{};  ///< the two
    Bytes capacity{};                 ///< as sold
    double reserved_share = 0;        ///< of the dies: parity, bad blocks, the map; in [0, 1)
    EnduranceSpec endurance{};
    SsdSheet sheet{};
    std::string estimated_from{};  ///< by which rule unpublished numbers were made up
    friend bool operator==(const SsdSpec&, const SsdSpec&) = default;
};

/// All dies.
[[nodiscard]] Bytes raw_capacity(const SsdSpec& ssd);
/// Of the host link, payload.
[[nodiscard]] Bandwidth link_bandwidth(const SsdSpec& ssd);
[[nodiscard]] Diagnostics validate(const SsdSpec& ssd, const std::string& key);

/// A hard disk.
struct HddSpec {
    std::string name{};
    Bytes capacity{};
    Bandwidth outer{};  ///< of the outermost tracks, sustained
    Bandwidth inner{};  ///< of the innermost
    Time revolution{};
    Time seek{};          ///< mean, read
    Time command{};       ///< overhead of one
    int queue_depth = 0;  ///< most commands it orders by itself
    friend bool operator==(const HddSpec&, const HddSpec&) = default;
};

[[nodiscard]] Diagnostics validate(const HddSpec& hdd, const std::string& key);

}  // namespace sim::spec
