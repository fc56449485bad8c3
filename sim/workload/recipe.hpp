#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/model.hpp"
#include "workload/communicators.hpp"
#include "workload/shard.hpp"
#include "workload/task_graph.hpp"

namespace sim::workload
{

inline constexpr int kNothing = -1;

/// One kernel, or one collective of a group that shares the work on a micro-batch. A collective
/// starts when the kernel before it in the recipe has ended; a kernel also waits for the collective
/// it names. A collective that ends a recipe is awaited by whatever follows.
struct Item {
    TaskKind kind = TaskKind::kernel;
    std::string label;
    spec::Operation operation;  ///< of a kernel
    CollectiveKind collective = CollectiveKind::all_reduce;
    Bytes size{};
    Slot slot = Slot::tensor;           ///< of a collective
    int after = kNothing;               ///< the collective's index in the recipe
    std::int64_t gradients = 0;         ///< parameters whose gradient is complete when it ends
    std::int64_t expert_gradients = 0;  ///< the same of experts, which have other replicas
    bool of_weights = false;            ///< a kernel that only weights' gradients need
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
    /// The same product `groups` times, in one kernel.
    int grouped_gemm(std::string label, GemmShape shape, std::int64_t groups, int after = kNothing);
    /// A weight's gradient, added into its buffer by the GEMM itself or by a kernel of its own.
    /// None of a frozen weight.
    int weight_gradient(std::string label, GemmShape shape, int after = kNothing);
    /// The same for each expert on the rank.
    void expert_gradient(std::string label, GemmShape shape);
    /// Causal. Fused, the backward pass computes the scores again: 2.5 times the forward's work.
    /// Ranks that share a sequence pass keys and values round while they work on what they have.
    /// Unfused, every score is computed, masked or not, and goes through memory, dropout included.
    void attention(bool backward, spec::Mixer mixer = spec::Mixer::attention);
    int streaming(std::string label, std::int64_t bytes, int after = kNothing);
    /// Stored weights made as wide as the products that follow read them.
    void widen_weights(std::int64_t parameters);
    /// What is not narrowed by the kernel that wrote it: read, and written as it is and transposed.
    void cast(std::int64_t elements);

    /// A low-rank product beside a frozen matrix of `in` columns and `out` rows.
    void adapter_forward(std::int64_t in, std::int64_t out);
    void adapter_backward(std::int64_t in, std::int64_t out);

    /// A product of tokens that sequence parallelism gathers, or whose result the tensor group
    /// sums. Pipelined, the gather runs under all of it but what needs the last share, and the sum
    /// under all but its first quarter.
    int gathered_gemm(const std::string& label, GemmShape shape, std::string gather_label);
    int reduced_gemm(const std::string& label, GemmShape shape, std::string reduce_label);

    /// Sequence parallelism's all-gather of whole tokens; nothing without it.
    int gather(std::string label);
    int gather(std::string label, std::int64_t width);
    /// Sum over the tensor group: reduce-scatter with sequence parallelism, else all-reduce.
    int reduce(std::string label);
    int reduce(std::string label, std::int64_t width);
    int all_reduce(std::string label, Bytes size);
    /// Over the ranks that share the experts, or that share each of them.
    int exchange(std::string label, CollectiveKind kind, Slot slot, Bytes size);

    /// Of weights that learn.
    void gradients_ready(std::int64_t parameters);
    void expert_gradients_ready(std::int64_t parameters);
    void gradients_not_ready(int item);
    /// Nothing but a weight's gradient needs the newest kernel.
    void mark_of_weights();
    /// The products so far that touch rows of so many elements.
    void align_rows(std::int64_t elements);

    [[nodiscard]] const Shard& shard() const { return shard_; }

    [[nodiscard]] const std::vector<Item>& items() const& { return items_; }
    const std::vector<Item>& items() const&& = delete;

private:
    void fused_attention(bool backward, spec::Mixer mixer);
    void shared_attention(bool backward, spec::Mixer mixer);
    void ring_attention(bool backward, spec::Mixer mixer);
    void gathered_attention(bool backward, spec::Mixer mixer);
    void exchanged_attention(bool backward, spec::Mixer mixer);
    void exchange_heads(const std::string& label, std::int64_t elements);
    [[nodiscard]] spec::Operation attention_operation(bool backward, spec::Mixer mixer) const;
    void merge_ring(bool backward);
    int add_context(std::string label, CollectiveKind kind, std::int64_t bytes);
    void unfused_attention_forward();
    void unfused_attention_backward();
    void attention_product(std::string label, GemmShape shape);
    void scores_pass(std::string label, std::int64_t bytes_each);
    int add_kernel(std::string label, spec::Operation operation, int after);
    int add_collective(std::string label, CollectiveKind kind, Bytes size);
    int append_collective(std::string label, CollectiveKind kind, Slot slot, Bytes size);
    [[nodiscard]] bool pipelines() const
    {
        return shard_.sequence_parallel && shard_.tensor_overlap == spec::TensorOverlap::pipelined;
    }

    Shard shard_;
    bool recomputed_;
    std::vector<Item> items_;
};

}  // namespace sim::workload
