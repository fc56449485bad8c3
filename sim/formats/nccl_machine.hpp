#pragma once

#include <string>
#include <vector>

#include "formats/topology_source.hpp"

namespace sim::formats
{

/// One <nvlink> or <xgmi> of a GPU.
struct NcclLink {
    std::string target{};  ///< bus id, in lower case
    std::string target_class{};
    int count = 1;
    bool xgmi = false;
    Place place{};
};

/// A GPU or a port of a network adapter and where it hangs.
struct NcclDevice {
    std::string busid{};              ///< in lower case; empty for a port without a PCI device
    std::vector<std::string> path{};  ///< bus ids from the CPU down to the device's own
    int socket = 0;
    std::string link_speed{};  ///< "16.0 GT/s PCIe"; may be empty
    std::string link_width{};
    Place place{};
    // Of GPUs:
    bool detected = false;  ///< has a <gpu>: the links of the file are all there are
    int dev = 0;
    std::vector<NcclLink> links{};
    // Of ports:
    int speed = 0;  ///< Mb/s; 0 when the file does not say
};

struct NcclBridge {
    std::string busid{};
    std::string link_speed{};
    std::string link_width{};
    Place place{};
};

struct NcclMachine {
    int sockets = 0;
    std::vector<NcclDevice> gpus{};  ///< by <gpu dev>, or in the order of the file
    std::vector<NcclDevice> ports{};
    std::vector<NcclBridge> bridges{};
};

/// Reads the XML that NCCL and RCCL write, and the files clouds ship for them.
[[nodiscard]] NcclMachine parse_nccl(TopologySource& source);

}  // namespace sim::formats
