#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/byte_source.hpp"
#include "formats/pytorch_et_nodes.hpp"
#include "formats/trace.hpp"

namespace sim::formats
{

/// True when the beginning of a file looks like an execution trace of PyTorch.
[[nodiscard]] bool is_pytorch_et(std::string_view beginning);

/// Reads the execution traces of PyTorch of one job, one a rank; pytorch_et.md has the rules.
class PytorchEtJob
{
public:
    /// Throws InputError.
    void add(const std::string& name, ByteSource& bytes);
    [[nodiscard]] bool empty() const { return files_.empty(); }
    /// After the last file. Throws InputError with everything that is missing.
    [[nodiscard]] Trace take();

private:
    struct File {
        std::string name;
        std::vector<EtNode> nodes;
        std::optional<std::uint32_t> rank{};
    };

    std::vector<File> files_;

    class Writer;
};

}  // namespace sim::formats
