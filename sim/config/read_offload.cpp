#include "config/read_offload.hpp"

#include <fmt/format.h>

#include "config/vocabulary.hpp"

namespace sim::config
{

namespace
{

const Vocabulary<bool>& update_words()
{
    static const Vocabulary<bool> table{{"gpu", false}, {"host", true}};
    return table;
}

spec::Residence read_residence(MapReader reader)
{
    spec::Residence residence;
    if (!reader.present()) {
        return residence;
    }
    residence.tier = reader.required("to", choice(data_tier_words()));
    residence.share = reader.defaulted("share", real_number("0.5"), "1");
    reader.finish();
    return residence;
}

spec::Residence read_activations(MapReader reader)
{
    spec::Residence residence;
    if (!reader.present()) {
        return residence;
    }
    residence.tier = reader.required("to", choice(data_tier_words()));
    residence.share = reader.defaulted("share", real_number("0.5"), "1");
    residence.layers = reader.optional("layers", count("8"));
    reader.finish();
    return residence;
}

spec::StagingSpec read_staging(MapReader reader)
{
    spec::StagingSpec staging;
    staging.count = reader.defaulted("count", count("4"), "2");
    staging.adaptive = reader.defaulted("adaptive", truth("true"), "false");
    staging.size = reader.defaulted("size", quantity<Bytes>("256 MiB"), "256 MiB");
    reader.finish();
    return staging;
}

}  // namespace

std::optional<spec::OffloadSpec> read_offload(MapReader reader)
{
    if (!reader.present()) {
        return std::nullopt;
    }
    spec::OffloadSpec offload;
    offload.name = reader.optional("name", words("zero-offload")).value_or("");
    offload.weights = read_residence(reader.optional_section("weights"));
    offload.gradients = read_residence(reader.optional_section("gradients"));
    offload.optimizer = read_residence(reader.optional_section("optimizer"));
    offload.activations = read_activations(reader.optional_section("activations"));
    offload.cache = read_residence(reader.optional_section("cache"));
    offload.update_on_host = reader.defaulted("update", choice(update_words()), "gpu");
    const auto no = [&](const char* name) {
        return reader.defaulted(name, truth("true"), "false");
    };
    offload.overlapped_update = no("overlapped_update");
    offload.delayed_update = no("delayed_update");
    offload.blocking = no("blocking");
    offload.through_dram = reader.defaulted("through_dram", truth("true"), "true");
    offload.prefetch = reader.defaulted("prefetch", count("1"), "1");
    offload.buffers = read_staging(reader.optional_section("buffers"));
    offload.host_overhead = reader.defaulted("host_overhead", real_number("0.5"), "0");
    reader.finish();
    return offload;
}

void read_activation_offload(MapReader& workload, std::optional<spec::OffloadSpec>& offload)
{
    const char* const key = "activation_offload";
    const int layers = workload.defaulted(key, count("8"), "0");
    if (layers == 0) {
        return;
    }
    if (offload && offload->activations.tier != spec::DataTier::hbm) {
        workload.report().error(
            workload.ask(key)->mark, workload.path(key),
            "cannot stand beside offload.activations, for which it is another word",
            fmt::format("leave it out, or write offload.activations: {{ to: dram, layers: {} }}",
                        layers));
        return;
    }
    if (!offload) {
        offload.emplace();
        offload->name = key;
        offload->buffers = {.count = 1, .size = Bytes::of(std::int64_t{256} << 20)};
    }
    offload->activations = {spec::DataTier::dram, 1, layers};
}

std::optional<spec::CheckpointSpec> read_checkpoint(MapReader reader)
{
    if (!reader.present()) {
        return std::nullopt;
    }
    spec::CheckpointSpec checkpoint;
    checkpoint.to = reader.required("to", choice(data_tier_words()));
    checkpoint.asynchronous = reader.defaulted("asynchronous", truth("true"), "false");
    checkpoint.sharded = reader.defaulted("sharded", truth("true"), "true");
    checkpoint.through_dram = reader.defaulted("through_dram", truth("true"), "true");
    checkpoint.every = reader.defaulted("every", count("100"), "1");
    reader.finish();
    return checkpoint;
}

}  // namespace sim::config
