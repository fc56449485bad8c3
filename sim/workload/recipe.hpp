#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workload/shard.hpp"
#include "workload/task_graph.hpp"

namespace sim::workload
{

inline constexpr int kNothing = -1;

/// One kernel, or one collective of the tensor group. A collective starts when the kernel before it
/// in the recipe has ended; a kernel also waits for the collective it names. A collective that ends
/// a recipe is awaited by whatever follows.
struct Item {
    TaskKind kind = TaskKind::kernel;
    std::string label;
    spec::Operation operation;  ///< of a kernel
    CollectiveKind collective = CollectiveKind::all_reduce;
    Bytes size{};
    int after = kNothing;        ///< the collective's index in the recipe
    std::int64_t gradients = 0;  ///< parameters whose gradient is complete when it ends
};

struct GemmShape {
    std::int64_t m = 0;
    std::int64_t n = 0;
    std::int64_t k = 0;
};

/// The kernels and tensor collectives of one pass over one part of the model, in order, built by
/// appending. Each call returns the item's index, or kNothing when the plan has no such collective.
class Recipe
{
public:
    explicit Recipe(const Shard& shard, bool recomputed = false)
        : shard_{shard}, recomputed_{recomputed}
    {
    }

    /// Each operand crosses HBM once.
    int gemm(std::string label, GemmShape shape, int after = kNothing);
    /// A weight's gradient, added into its buffer by the GEMM itself.
    int weight_gradient(std::string label, GemmShape shape, int after = kNothing);
    /// Causal. Fused, the backward pass computes the scores again: 2.5 times the forward's work.
    /// Unfused, every score is computed, masked or not, and goes through memory, dropout included.
    void attention(bool backward);
    int streaming(std::string label, std::int64_t bytes, int after = kNothing);

    /// Sequence parallelism's all-gather of whole tokens; nothing without it.
    int gather(std::string label);
    /// Sum over the tensor group: reduce-scatter with sequence parallelism, else all-reduce.
    int reduce(std::string label);
    int all_reduce(std::string label, Bytes size);

    void gradients_ready(std::int64_t parameters) { items_.back().gradients += parameters; }

    void gradients_not_ready(int item) { items_[static_cast<std::size_t>(item)].gradients = 0; }

    [[nodiscard]] const std::vector<Item>& items() const& { return items_; }
    const std::vector<Item>& items() const&& = delete;

private:
    void fused_attention(bool backward);
    void unfused_attention_forward();
    void unfused_attention_backward();
    void attention_product(std::string label, GemmShape shape);
    void scores_pass(std::string label, std::int64_t bytes_each);
    int add_kernel(std::string label, spec::Operation operation, int after);
    int add_collective(std::string label, CollectiveKind kind, Bytes size);

    Shard shard_;
    bool recomputed_;
    std::vector<Item> items_;
};

}  // namespace sim::workload
