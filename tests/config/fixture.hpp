#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "config/load.hpp"
#include "core/diagnostics.hpp"
#include "core/scratch_folder.hpp"

namespace sim::config
{

/// A test that stands in a folder of its own, so that messages hold no machine's paths.
class InFolder : public testing::Test
{
protected:
    InFolder() : home_{std::filesystem::current_path()}
    {
        std::filesystem::current_path(folder_.path());
    }

    ~InFolder() override { std::filesystem::current_path(home_); }

    InFolder(const InFolder&) = delete;
    InFolder& operator=(const InFolder&) = delete;

    static void write(const std::string& name, const std::string& text)
    {
        const std::filesystem::path path{name};
        if (path.has_parent_path()) {
            std::filesystem::create_directories(path.parent_path());
        }
        std::ofstream{path} << text;
    }

    /// A complete small machine and job: cluster.yaml, model.json, run.yaml.
    static void write_good()
    {
        write("cluster.yaml", R"(name: small
nodes: 2
gpus_per_node: 4
gpu:
  name: G
  sms: 100
  peak: { bf16: 1000 TFLOP/s, fp8: { value: 2000 TFLOP/s, source: "a data sheet" } }
  math_efficiency: 0.8
  memory: 80 GiB
  memory_bandwidth: 3.35 TB/s
  memory_efficiency: { value: 0.9, source: "a stream" }
  kernel_launch: 2.5 us
  attention:
    flash_2:
      forward: { rate: 0.7, softmax: 20, fill: 200 }
      backward: { rate: 0.6, softmax: 25, fill: 220 }
nvlink: { bandwidth: 450 GB/s, efficiency: 0.82, latency: 2 us }
pcie: { generation: 5, lanes: 16, efficiency: 0.87, latency: 150 ns }
nic: { name: N, bandwidth: 400 Gbps, efficiency: 0.96, latency: 4 us, per_node: 2 }
fabric:
  kind: leaf_spine
  nodes_per_leaf: 1
  oversubscription: 1
  leaf: { name: L, capacity: 25.6 Tbps, max_ports: 64, latency: 600 ns }
  spine: { name: S, capacity: 51.2 Tbps, max_ports: 128, latency: 700 ns }
  cable_latency: 100 ns
collective: { name: C, channel_sms: 16, launch: 8 us }
)");
        write("model.json", R"({
  "model_type": "llama",
  "hidden_size": 1024,
  "intermediate_size": 4096,
  "num_attention_heads": 16,
  "num_hidden_layers": 12,
  "vocab_size": 32000
}
)");
        write("run.yaml", R"(format: 1
cluster: { extends: cluster.yaml }
workload:
  model: model.json
  sequence: 2048
  global_batch: 16
  micro_batch: 2
  precision: bf16
  gradient_precision: fp32
  parallel: { tensor: 2 }
  framework:
    name: F
    gradient_bucket: 80 MB
    overlap_gradients: true
    overlap_parameters: false
    optimizer_bytes_per_parameter: 40
    optimizer_state_bytes: 12
    reserved: 2 GiB
seed: 7
)");
    }

    /// run.yaml with one line replaced or added at the end.
    static void write_run_with(const std::string& line, const std::string& instead)
    {
        std::ifstream in{"run.yaml"};
        std::string text{std::istreambuf_iterator<char>{in}, {}};
        const auto at = text.find(line);
        ASSERT_NE(at, std::string::npos) << line;
        write("run.yaml", text.replace(at, line.size(), instead));
    }

    [[nodiscard]] static std::string complaint(const std::string& path,
                                               const std::vector<Override>& overrides = {})
    {
        try {
            static_cast<void>(is_sweep(path) ? load_sweep(path, overrides).input_text
                                             : load_experiment(path, overrides).input_text);
        } catch (const InputError& error) {
            return error.what();
        }
        return "no complaint";
    }

private:
    std::filesystem::path home_;
    ScratchFolder folder_;
};

}  // namespace sim::config
