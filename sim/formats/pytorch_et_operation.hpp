#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sim::formats
{

/// A tensor as an execution trace tells it.
struct EtTensor {
    std::int64_t storage = 0;
    std::int64_t bytes = 0;
    bool on_gpu = false;
    std::vector<std::int64_t> shape{};
};

/// An operator's node.
struct EtOperator {
    std::string name;
    std::vector<EtTensor> inputs{};
    std::vector<EtTensor> outputs{};
};

struct EtWork {
    double flops = 0;
    double bytes = 0;
};

/// True for operators that only make or look at a tensor: no kernel runs.
[[nodiscard]] bool is_view(const std::string& name);

/// Bytes of the GPU's tensors in and out; FLOPs of products and convolutions.
[[nodiscard]] EtWork work_of(const EtOperator& each);

}  // namespace sim::formats
