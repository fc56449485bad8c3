#include "replay/copy_lowering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/contract.hpp"
#include "core/diagnostics.hpp"
#include "fabric/host_path.hpp"
#include "memory/closed_network.hpp"
#include "replay/hbm_classes.hpp"

namespace sim::replay
{

namespace
{

/// One of the places a tier consists of, as far as one GPU sees it.
struct Place {
    VertexId at;            ///< a GPU or a socket
    double fraction = 1;    ///< of the bytes
    std::size_t thing = 0;  ///< which socket, drive or pool
};

enum class Way { out, in };

[[noreturn]] void refuse_tier(spec::DataTier tier, const std::string& message,
                              const std::string& hint)
{
    refuse(fmt::format("cluster.host.{}", spec::tier_name(tier)), message, hint);
}

/// Adds up what one copy takes.
class Path
{
public:
    Path(const Machine& machine, GpuId gpu, double hbm_share)
        : machine_{machine}, fabric_{machine.fabric()}, gpu_{gpu}, hbm_share_{hbm_share}
    {
    }

    [[nodiscard]] std::vector<Place> places(spec::DataTier tier) const;
    void touch(spec::DataTier tier, const std::vector<Place>& places, Way way);
    void cross(const std::vector<Place>& from, const std::vector<Place>& to);
    /// Written to host memory and read again.
    void buffer(const std::vector<Place>& places);
    /// Read and written by the cores beside the memory.
    void work(const std::vector<Place>& places);

    [[nodiscard]] LoweredCopy copy(Bytes size) const;

private:
    [[nodiscard]] std::size_t own_socket() const { return fabric_.socket_of_gpu[gpu_.index()]; }
    [[nodiscard]] bool reaches(std::size_t socket) const;
    [[nodiscard]] std::vector<Place> sockets() const;
    [[nodiscard]] std::vector<Place> drives() const;
    void touch_storage(const std::vector<Place>& places, Way way);
    void touch_files(const Place& nic, Way way);
    void use(ResourceId resource, double consumption) { uses_[resource] += consumption; }

    const Machine& machine_;
    const fabric::Fabric& fabric_;
    GpuId gpu_;
    double hbm_share_;
    std::map<ResourceId, double> uses_;
    Time latency_{};
    double rate_cap_ = engine::kUnlimited;
};

bool Path::reaches(std::size_t socket) const
{
    const auto own = own_socket();
    return socket == own ||
           !fabric::host_path(fabric_, fabric_.sockets[own], fabric_.sockets[socket]).empty();
}

std::vector<Place> even(std::vector<Place> places)
{
    for (auto& place : places) {
        place.fraction = 1 / static_cast<double>(places.size());
    }
    return places;
}

std::vector<Place> Path::sockets() const
{
    const auto& dram = *machine_.cluster().node.host.dram;
    if (dram.pages == spec::Pages::local) {
        return {{fabric_.sockets[own_socket()], 1, own_socket()}};
    }
    std::vector<Place> found;
    const auto each = static_cast<std::size_t>(machine_.cluster().node.host.sockets);
    const auto first = fabric_.node_of_gpu[gpu_.index()].index() * each;
    for (auto socket = first; socket < first + each; ++socket) {
        if (reaches(socket)) {
            found.push_back({fabric_.sockets[socket], 1, socket});
        }
    }
    return even(std::move(found));
}

std::vector<Place> Path::drives() const
{
    const auto each = machine_.cluster().node.host.storage->socket_of_drive.size();
    const auto node = std::size_t{fabric_.node_of_gpu[gpu_.index()].index()};
    const auto gpu = fabric_.gpus[gpu_.index()];
    std::vector<Place> found;
    for (auto drive = node * each; drive < (node + 1) * each; ++drive) {
        const auto at = machine_.tiers().drives()[drive].at;
        if (!fabric::host_path(fabric_, gpu, at).empty()) {
            found.push_back({at, 1, drive});
        }
    }
    if (found.empty()) {
        refuse_tier(spec::DataTier::storage,
                    fmt::format("no drive is on a socket that {} reaches",
                                fabric_.graph.vertices()[gpu.index()].name),
                    "join the sockets by host.socket_link, or write host.storage.socket_of_drive");
    }
    return even(std::move(found));
}

std::vector<Place> Path::places(spec::DataTier tier) const
{
    const auto& tiers = machine_.tiers();
    const auto missing = [&](bool empty) {
        if (empty) {
            refuse_tier(tier, fmt::format("missing: a copy uses the {}", spec::tier_name(tier)),
                        "describe it under cluster.host (sim/replay/copies.md)");
        }
    };
    switch (tier) {
        case spec::DataTier::hbm:
            return {{fabric_.gpus[gpu_.index()], 1, gpu_.index()}};
        case spec::DataTier::dram:
            missing(tiers.dram().empty());
            return sockets();
        case spec::DataTier::storage:
            missing(tiers.drives().empty());
            return drives();
        case spec::DataTier::files:
            missing(!tiers.files());
            return {{fabric_.nic_of_gpu[gpu_.index()], 1, 0}};
        case spec::DataTier::pool:
            break;
    }
    missing(tiers.pools().empty());
    const auto node = std::size_t{fabric_.node_of_gpu[gpu_.index()].index()};
    const auto each = static_cast<std::size_t>(machine_.cluster().node.host.sockets);
    if (!reaches(node * each)) {
        refuse_tier(tier, "is behind a socket that a GPU which copies does not reach",
                    "join the sockets by host.socket_link");
    }
    return {{fabric_.sockets[node * each], 1, node}};
}

void Path::touch(spec::DataTier tier, const std::vector<Place>& places, Way way)
{
    const auto& tiers = machine_.tiers();
    const bool out = way == Way::out;
    for (const auto& place : places) {
        switch (tier) {
            case spec::DataTier::hbm:
                use(machine_.hbm(gpu_), hbm_share_);
                break;
            case spec::DataTier::dram: {
                const auto& shares = tiers.dram_shares();
                use(tiers.dram()[place.thing], place.fraction * (out ? shares.read : shares.write));
                break;
            }
            case spec::DataTier::pool: {
                const auto& pool = tiers.pools()[place.thing];
                use(pool.memory, 1);
                use(out ? pool.to_socket : pool.from_socket, 1);
                latency_ += machine_.cluster().node.host.pool->link.latency;
                break;
            }
            case spec::DataTier::storage:
            case spec::DataTier::files:
                break;
        }
    }
    if (tier == spec::DataTier::storage) {
        touch_storage(places, way);
    } else if (tier == spec::DataTier::files) {
        touch_files(places.front(), way);
    }
}

/// Reads of a stripe find some of its drives without a request, the more so the fewer wait; writes
/// lie in the drives' own buffers. sim/replay/copies.md
void Path::touch_storage(const std::vector<Place>& places, Way way)
{
    const auto& tiers = machine_.tiers();
    const auto& flash = tiers.flash();
    const auto& storage = *machine_.cluster().node.host.storage;
    const bool out = way == Way::out;
    for (const auto& place : places) {
        const auto& drive = tiers.drives()[place.thing];
        use(drive.flash, place.fraction * (out ? 1 : flash.read / flash.write));
        use(out ? drive.out : drive.in, place.fraction);
    }
    latency_ += out ? flash.read_latency : flash.write_latency;
    if (out && storage.queue_depth) {
        const auto one = std::min(flash.read, spec::link_bandwidth(storage.drive));
        const auto drives = static_cast<int>(places.size());
        const auto each = Time::of(1 / one.base());  // of a byte
        rate_cap_ =
            memory::closed_network(*storage.queue_depth, Time{}, {{drives, each}}).per_second;
    }
}

/// By the NIC's own port; the network behind it is taken to be wide enough.
void Path::touch_files(const Place& nic, Way way)
{
    const auto& files = *machine_.tiers().files();
    use(way == Way::out ? files.read : files.write, 1);
    const auto& graph = fabric_.graph;
    std::vector<LinkId> ports;
    for (const auto id : graph.out_links(nic.at)) {
        if (graph.links()[id.index()].kind == fabric::LinkKind::nic) {
            ports.push_back(way == Way::in ? id : fabric::Graph::reverse(id));
        }
    }
    Time longest{};
    for (const auto id : ports) {
        use(machine_.link(id), 1 / static_cast<double>(ports.size()));
        longest = std::max(longest, graph.links()[id.index()].latency);
    }
    latency_ += longest + machine_.cluster().node.host.files->latency;
}

void Path::cross(const std::vector<Place>& from, const std::vector<Place>& to)
{
    Time longest{};
    for (const auto& source : from) {
        for (const auto& target : to) {
            if (source.at == target.at) {
                continue;
            }
            Time latency{};
            for (const auto id : fabric::host_path(fabric_, source.at, target.at)) {
                use(machine_.link(id), source.fraction * target.fraction);
                latency += fabric_.graph.links()[id.index()].latency;
            }
            longest = std::max(longest, latency);
        }
    }
    latency_ += longest;
}

void Path::buffer(const std::vector<Place>& places)
{
    const auto& tiers = machine_.tiers();
    for (const auto& place : places) {
        use(tiers.dram()[place.thing], place.fraction * tiers.dram_shares().buffer);
    }
}

void Path::work(const std::vector<Place>& places)
{
    const auto& tiers = machine_.tiers();
    if (tiers.cores().empty()) {
        refuse("cluster.host.cpu", "missing: the host works on what is offloaded",
               "write cpu: { cores: 56, core_bandwidth: 8 GB/s }");
    }
    for (const auto& place : places) {
        use(tiers.dram()[place.thing], place.fraction * tiers.dram_shares().buffer / 2);
        use(tiers.cores()[place.thing], place.fraction);
    }
}

LoweredCopy Path::copy(Bytes size) const
{
    LoweredCopy lowered;
    lowered.amount = static_cast<double>(size.base());
    lowered.latency = latency_;
    double most = 0;
    for (const auto& [resource, consumption] : uses_) {
        lowered.uses.push_back({resource, consumption});
        const auto& supply = machine_.resources()[resource.index()];
        const auto busy = consumption / supply.capacity;
        if (busy > most) {
            most = busy;
            lowered.binding = supply.kind;
        }
    }
    lowered.rate_cap = rate_cap_;
    if (1 / rate_cap_ > most) {
        most = 1 / rate_cap_;
        lowered.binding = ResourceKind::drive;
    }
    lowered.alone = latency_ + Time::of(lowered.amount * most);
    return lowered;
}

}  // namespace

CopyLowering::CopyLowering(const Machine& machine)
    : machine_{machine},
      hbm_share_{
          1 /
          HbmClasses{machine.cluster().node.gpu}.gpu(spec::OperationKind::gemm).memory_efficiency}
{
}

LoweredCopy CopyLowering::lower(GpuId gpu, const workload::Copy& copy) const
{
    const bool work = copy.from == spec::DataTier::dram && copy.to == spec::DataTier::dram;
    SIM_EXPECT((work || copy.from != copy.to) && copy.size >= Bytes{});
    Path path{machine_, gpu, hbm_share_};
    const auto from = path.places(copy.from);
    if (work) {
        path.work(from);
        auto lowered = path.copy(copy.size);
        lowered.purpose = copy.purpose;
        return lowered;
    }
    const auto to = path.places(copy.to);
    path.touch(copy.from, from, Way::out);
    path.touch(copy.to, to, Way::in);
    const bool in_host = copy.from == spec::DataTier::dram || copy.to == spec::DataTier::dram;
    if (copy.through_dram && !in_host) {
        const auto buffers = path.places(spec::DataTier::dram);
        path.cross(from, buffers);
        path.buffer(buffers);
        path.cross(buffers, to);
    } else {
        path.cross(from, to);
    }
    auto lowered = path.copy(copy.size);
    lowered.purpose = copy.purpose;
    return lowered;
}

}  // namespace sim::replay
