#include "workload/generation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "workload/activations.hpp"
#include "workload/block_runner.hpp"
#include "workload/layer_operations.hpp"
#include "workload/model_flops.hpp"
#include "workload/offload_copies.hpp"
#include "workload/offload_tasks.hpp"

namespace sim::workload
{

namespace
{

using spec::DataTier;

/// The same job as it works on `tokens` tokens of each sequence at once.
spec::WorkloadSpec at_once(spec::WorkloadSpec workload, std::int64_t tokens)
{
    workload.sequence = tokens;
    workload.recompute = spec::Recompute::none;
    workload.dropout = false;
    return workload;
}

/// Of one token of every sequence: the final norm and the scores of the words.
Recipe next_words(const Shard& shard)
{
    Recipe recipe{shard};
    recipe.streaming("norm", 2 * shard.element * shard.tokens * shard.hidden);
    const int gathered = recipe.gather("head gather");
    recipe.gemm("head", {shard.tokens, shard.vocab, shard.hidden}, gathered);
    return recipe;
}

class Generator
{
public:
    Generator(const spec::WorkloadSpec& workload, const Stage& stage,
              std::vector<std::string>& labels)
        : workload_{workload},
          offload_{workload.offload.value_or(spec::OffloadSpec{})},
          layers_{stage.chunks.front()},
          prompt_{shard(at_once(workload, *workload.prompt))},
          one_{shard(at_once(workload, 1))},
          builder_{labels},
          writer_{builder_, builder_.add_stream("compute")},
          runner_{workload, writer_},
          weights_{workload, stage, writer_},
          copies_{offload_, writer_},
          words_{builder_.prepare(next_words(one_))},
          ends_{stage_parameters(stage, one_)}
    {
        runner_.add_host();
        for (const auto kind : layers_) {
            ends_ -= layer_parameters(one_, kind) + expert_parameters(one_, kind);
        }
    }

    Program build()
    {
        for (std::int64_t batch = 0; batch < spec::micro_batches(workload_); ++batch) {
            left_.assign(layers_.size(), std::nullopt);
            pass(prompt_, 0);
            for (auto token = *workload_.prompt; token + 1 < workload_.sequence; ++token) {
                pass(one_, token);
            }
        }
        return builder_.take();
    }

private:
    /// All layers over the tokens that follow the first `before`.
    void pass(const Shard& shard, std::int64_t before)
    {
        const auto embedding = prepared(shard, std::nullopt);
        const auto whole = weights_.fetch_weights(ends_, 0, true);
        if (whole) {
            writer_.await(*whole);
        }
        runner_.run(embedding);
        for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
            run_layer(shard, layer, before);
        }
        runner_.issue(workload_.framework.issue_forward);
        runner_.run(words_);
    }

    void run_layer(const Shard& shard, std::size_t layer, std::int64_t before)
    {
        const auto kind = layers_[layer];
        Block block;
        block.layer = true;
        block.parameters = layer_parameters(shard, kind);
        block.experts = expert_parameters(shard, kind);
        if (const auto whole = weights_.fetch_weights(block.parameters, block.experts)) {
            writer_.await(*whole);
        }
        fetch_cache(layer, before);
        runner_.issue(workload_.framework.issue_forward);
        runner_.run(prepared(shard, kind));
        const auto read = layer_cache(workload_, kind, before);
        if (read > Bytes{}) {
            runner_.stream("cached keys and values", static_cast<double>(read.base()));
        }
        weights_.pass_ended(block);
        ran_.push_back(builder_.last(writer_.compute()).value());
        const auto after = before + shard.sequence;
        store_cache(layer, layer_cache(workload_, kind, after) - read);
    }

    [[nodiscard]] Bytes away(Bytes bytes) const
    {
        return Bytes::of(std::llround(offload_.cache.away() * static_cast<double>(bytes.base())));
    }

    /// Once it has been stored, and the pass `prefetch` + 1 before has ended.
    void fetch_cache(std::size_t layer, std::int64_t before)
    {
        const auto size = away(layer_cache(workload_, layers_[layer], before));
        if (size == Bytes{}) {
            return;
        }
        std::vector<Dependence> after;
        if (left_[layer]) {
            after.push_back(*left_[layer]);
        }
        const auto ahead = static_cast<std::size_t>(offload_.prefetch) + 1;
        if (ran_.size() >= ahead) {
            after.push_back(ran_[ran_.size() - ahead]);
        }
        writer_.await(
            copies_.write("cache fetch",
                          {.from = offload_.cache.tier, .to = DataTier::hbm, .size = size}, after));
    }

    /// A layer waits until what `buffers.count` + 1 layers before it made has left.
    void store_cache(std::size_t layer, Bytes grown)
    {
        const auto size = away(grown);
        if (size == Bytes{}) {
            return;
        }
        left_[layer] = copies_.write(
            "cache leaves", {.from = DataTier::hbm, .to = offload_.cache.tier, .size = size},
            {&ran_.back(), 1});
        stored_.push_back(*left_[layer]);
        const auto count = static_cast<std::size_t>(offload_.buffers.count);
        if (stored_.size() > count) {
            writer_.await(stored_[stored_.size() - 1 - count]);
        }
    }

    /// Of a layer, or the embedding; equal ones are prepared once.
    const PreparedRecipe& prepared(const Shard& shard, std::optional<spec::LayerKind> kind)
    {
        const std::pair key{shard.tokens, kind};
        const auto found = prepared_.find(key);
        if (found != prepared_.end()) {
            return found->second;
        }
        const auto recipe = kind ? layer_forward(shard, *kind, false) : embedding_forward(shard);
        return prepared_.emplace(key, builder_.prepare(recipe)).first->second;
    }

    const spec::WorkloadSpec& workload_;
    spec::OffloadSpec offload_;
    std::vector<spec::LayerKind> layers_;
    Shard prompt_;
    Shard one_;
    ProgramBuilder builder_;
    TaskWriter writer_;
    BlockRunner runner_;
    OffloadTasks weights_;
    OffloadCopies copies_;
    PreparedRecipe words_;
    std::int64_t ends_;  ///< parameters of the embedding and the head
    std::map<std::pair<std::int64_t, std::optional<spec::LayerKind>>, PreparedRecipe> prepared_;
    std::vector<std::optional<Dependence>> left_;  ///< by layer: its newest keys and values
    std::vector<Dependence> stored_;               ///< in order
    std::vector<Dependence> ran_;                  ///< layers, in order
};

}  // namespace

Program generation_program(const spec::WorkloadSpec& workload, const Stage& stage,
                           std::vector<std::string>& labels)
{
    return Generator{workload, stage, labels}.build();
}

Bytes layer_cache(const spec::WorkloadSpec& workload, spec::LayerKind kind, std::int64_t tokens)
{
    if (kind.mixer == spec::Mixer::linear) {
        return {};
    }
    const auto part = shard(workload);
    const bool windowed = kind.mixer == spec::Mixer::window && part.window > 0;
    const auto kept = windowed ? std::min(tokens, part.window) : tokens;
    const auto latent = part.latent.key_value_rank + part.latent.rotary_dim;
    const auto each = part.has_latent ? latent : part.key_values();
    return Bytes::of(part.element * part.sequences * kept * each);
}

Bytes whole_cache(const spec::WorkloadSpec& workload, const Stage& stage)
{
    Bytes all{};
    for (const auto kind : stage.chunks.front()) {
        all += layer_cache(workload, kind, workload.sequence - 1);
    }
    return all;
}

Flops generation_flops(const spec::WorkloadSpec& workload)
{
    constexpr double kPassesThatLearn = 3;  // a step that learns does three times a forward pass
    const auto& model = workload.model;
    const auto all = model_flops(workload, workload.global_batch * (workload.sequence - 1));
    const auto unscored = static_cast<double>(workload.global_batch * (*workload.prompt - 1));
    const auto words = 2 * static_cast<double>(model.hidden) * static_cast<double>(model.vocab);
    return all / kPassesThatLearn - Flops::of(words * unscored);
}

Footprint generation_footprint(const spec::WorkloadSpec& workload, const Stage& stage)
{
    const auto prompt = shard(at_once(workload, *workload.prompt));
    const auto one = shard(at_once(workload, 1));
    Footprint footprint;
    footprint.weights = Bytes::of(
        std::llround(prompt.weight * static_cast<double>(stage_parameters(stage, prompt))));
    footprint.activations = whole_cache(workload, stage);
    Bytes most{};
    for (const auto kind : stage.chunks.front()) {
        most = std::max(most, layer_activations(prompt, kind, spec::Recompute::none) +
                                  layer_temporary(prompt, kind));
    }
    footprint.temporary = std::max(most, Bytes::of(one.element * one.tokens * one.vocab));
    footprint.reserved = workload.framework.reserved;
    return footprint;
}

}  // namespace sim::workload
