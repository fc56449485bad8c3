#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.hpp"
#include "core/quantity.hpp"

namespace sim::spec
{

/// What a DRAM data sheet says of the time between two commands, in the field's names.
/// `_S` holds between different bank groups, `_L` within one, `_R` between stack ids or ranks.
struct DramTiming {
    Time tCK{};  ///< command clock; every other time is rounded up to whole clocks
    Time tCL{};
    Time tCWL{};
    Time tRCD_read{};
    Time tRCD_write{};
    Time tRP{};
    Time tRAS{};
    Time tRC{};
    Time tCCD_S{};
    Time tCCD_L{};
    std::optional<Time> tCCD_L_write{};  ///< absent: tCCD_L
    std::optional<Time> tCCD_R{};        ///< absent: tCCD_S
    Time tRRD_S{};
    Time tRRD_L{};
    Time tFAW{};
    Time tWR{};
    Time tWTR_S{};
    Time tWTR_L{};
    Time tRTP{};
    std::optional<Time> tRTW{};  ///< read to write command; absent: tCL + burst + 2 clocks - tCWL
    Time tRFC_all{};
    Time tRFC_bank{};
    Time tREFI{};
    friend bool operator==(const DramTiming&, const DramTiming&) = default;
};

/// Why a timing is not one number: the range it is believed to lie in.
struct TimingRange {
    std::string name{};  ///< as in DramTiming, "tFAW"
    Time least{};
    Time most{};
    friend bool operator==(const TimingRange&, const TimingRange&) = default;
};

enum class Refresh {
    none,
    all_bank,  ///< the whole pseudo-channel stops for tRFC_all every tREFI
    per_bank,  ///< one bank after the other stops for tRFC_bank
    hidden,    ///< done while other banks work, as GPUs are measured to do: no bandwidth lost
};

enum class PagePolicy {
    open,        ///< a row stays open until another one of its bank is wanted
    closed,      ///< a row closes when no request waits for it
    single_use,  ///< every access opens its row and closes it
};

/// How a controller orders what waits for one channel (all its pseudo-channels together).
struct DramController {
    int read_queue = 0;
    int write_queue = 0;
    double write_high = 0;  ///< share of the write queue at which reads stop, in (0, 1]
    double write_low = 0;   ///< share of the write queue at which they resume, in [0, 1)
    PagePolicy page = PagePolicy::open;
    Refresh refresh = Refresh::all_bank;
    bool opened_leave_queue = false;  ///< a request whose row is being opened frees its entry
    bool idle_drains = true;          ///< writes also go when no read waits; false: in batches only
    Time starvation{};  ///< a request older than this goes before row hits of its bank
    friend bool operator==(const DramController&, const DramController&) = default;
};

/// Which bits are XORed into the number of the bank, so that strides do not stay in one.
enum class Permutation {
    none,
    row,     ///< low row bits into group and bank; rounds over the channels start elsewhere each
    column,  ///< high column bits into every field above them
};

/// Where a byte lies. `order` names the fields of an address inside its channel from the most to
/// the least significant: "row-rank-bank-column-pseudo-group".
struct DramMapping {
    std::string order{};
    Bytes channel_interleave{};  ///< consecutive bytes of one channel
    Permutation permutation = Permutation::row;
    friend bool operator==(const DramMapping&, const DramMapping&) = default;
};

/// A check read for so many data bursts when the code lies in the data; 0 for side-band ECC.
struct DramEcc {
    int data_bursts_per_check = 0;
    double capacity_share = 0;  ///< of the capacity that the code takes, in [0, 1)
    friend bool operator==(const DramEcc&, const DramEcc&) = default;
};

/// Temperatures in degrees Celsius.
struct DramThermal {
    double celsius = 0;
    double refresh_doubles_above = 0;
    double throttles_above = 0;
    double throttled_share = 0;  ///< of the time a throttled device may move data, in (0, 1]
    friend bool operator==(const DramThermal&, const DramThermal&) = default;
};

/// Energy of what a device does, from its supply currents.
struct DramEnergy {
    double activate_nj = 0;      ///< one activate with its precharge
    double read_pj_per_bit = 0;  ///< beyond standing by
    double write_pj_per_bit = 0;
    double refresh_nj = 0;     ///< one all-bank refresh of a pseudo-channel
    Power background{};        ///< one pseudo-channel with open rows
    double io_pj_per_bit = 0;  ///< through the pins
    friend bool operator==(const DramEnergy&, const DramEnergy&) = default;
};

/// One stack, device or module of DRAM.
struct DramSpec {
    std::string name{};
    std::string kind{};       ///< "HBM3"
    int channels = 0;         ///< with a controller each
    int pseudo_channels = 1;  ///< of one channel: own data pins and banks
    bool independent_ranks =
        false;            ///< own tRRD, tFAW, tWTR and refresh: DIMM ranks, not stack ids
    int ranks = 1;        ///< stack ids or ranks of one pseudo-channel
    int bank_groups = 0;  ///< of one rank
    int banks_per_group = 0;
    std::int64_t rows = 0;       ///< of one bank
    Bytes row{};                 ///< bytes one activation opens
    int width_bits = 0;          ///< data pins of one pseudo-channel
    int row_command_clocks = 0;  ///< of the row command bus all pseudo-channels share, by one
                                 ///< activate and its precharge; 0: never the bottleneck
    int burst_length = 0;        ///< beats of one access
    Bandwidth pin_rate{};        ///< of one pin
    Bandwidth bandwidth{};       ///< of the whole device, as its sheet says
    Bytes capacity{};            ///< of the whole device, as its sheet says
    DramTiming timing{};
    DramController controller{};
    DramMapping mapping{};
    DramEcc ecc{};
    DramThermal thermal{};
    DramEnergy energy{};
    std::string estimated_from{};  ///< by which rule the timings were made up; empty: known
    std::vector<TimingRange> ranges{};
    friend bool operator==(const DramSpec&, const DramSpec&) = default;
};

[[nodiscard]] Bytes burst_bytes(const DramSpec& dram);
/// Pins x rate.
[[nodiscard]] Bandwidth pin_bandwidth(const DramSpec& dram);
/// Channels x ranks x banks x rows x row.
[[nodiscard]] Bytes bank_capacity(const DramSpec& dram);

/// The timing of that name, or null.
[[nodiscard]] Time* find_timing(DramTiming& timing, const std::string& name);

/// The same device with faster or slower pins: core timings keep their nanoseconds, tCCD keeps its
/// clocks, and the clock follows the pin rate.
[[nodiscard]] DramSpec at_pin_rate(DramSpec dram, Bandwidth rate);

[[nodiscard]] Diagnostics validate(const DramSpec& dram, const std::string& key);

/// The HBM of a GPU as its stacks.
struct GpuHbmSpec {
    DramSpec device{};  ///< one stack, at the pin rate of this GPU
    int stacks = 0;
    double read_factor = 0;  ///< saturated reads, measured over modelled, in (0, 1]
    friend bool operator==(const GpuHbmSpec&, const GpuHbmSpec&) = default;
};

/// The memory of a GPU as measured: what stands between its threads and the DRAM pins.
struct GpuMemorySpec {
    std::string name{};
    DramSpec dram{};  ///< one stack or device, at the pin rate of this GPU
    int stacks = 0;
    int sms = 0;
    int threads_per_sm = 0;
    Time latency{};          ///< of a dependent load that misses every cache
    Time block_turnover{};   ///< from the end of one block of threads to its successor's first load
    double read_factor = 0;  ///< saturated reads, measured over modelled, in (0, 1]
    friend bool operator==(const GpuMemorySpec&, const GpuMemorySpec&) = default;
};

[[nodiscard]] Diagnostics validate(const GpuMemorySpec& gpu, const std::string& key);

}  // namespace sim::spec
