#include "config/vocabulary.hpp"

namespace sim::config
{

const Vocabulary<spec::Precision>& precision_words()
{
    using spec::Precision;
    static const auto table = [] {
        Vocabulary<Precision> words;
        for (const auto precision : {Precision::bf16, Precision::fp16, Precision::fp8,
                                     Precision::fp4, Precision::tf32, Precision::fp32}) {
            words.emplace_back(spec::precision_name(precision), precision);
        }
        return words;
    }();
    return table;
}

const Vocabulary<spec::Routing>& routing_words()
{
    using spec::Routing;
    // In the fluid limit spraying packets over all shortest paths is an even split.
    static const Vocabulary<Routing> table{{"even", Routing::even},
                                           {"spray", Routing::even},
                                           {"minimal", Routing::minimal},
                                           {"ecmp", Routing::ecmp},
                                           {"adaptive", Routing::adaptive},
                                           {"up_down", Routing::up_down},
                                           {"dimension_order", Routing::dimension_order},
                                           {"valiant", Routing::valiant},
                                           {"ugal", Routing::ugal}};
    return table;
}

const Vocabulary<spec::HashedBy>& hashed_by_words()
{
    using spec::HashedBy;
    static const Vocabulary<HashedBy> table{{"queue_pair", HashedBy::queue_pair},
                                            {"connection", HashedBy::connection},
                                            {"nic_pair", HashedBy::nic_pair}};
    return table;
}

const Vocabulary<spec::WireProtocol>& protocol_words()
{
    static const Vocabulary<spec::WireProtocol> table{
        {"infiniband", spec::WireProtocol::infiniband}, {"roce_v2", spec::WireProtocol::roce_v2}};
    return table;
}

const Vocabulary<spec::Recompute>& recompute_words()
{
    static const Vocabulary<spec::Recompute> table{{"none", spec::Recompute::none},
                                                   {"selective", spec::Recompute::selective},
                                                   {"full", spec::Recompute::full}};
    return table;
}

const Vocabulary<spec::Dispatch>& dispatch_words()
{
    static const Vocabulary<spec::Dispatch> table{{"all_to_all", spec::Dispatch::all_to_all},
                                                  {"all_gather", spec::Dispatch::all_gather}};
    return table;
}

const Vocabulary<spec::ContextExchange>& context_exchange_words()
{
    using spec::ContextExchange;
    static const Vocabulary<ContextExchange> table{{"ring", ContextExchange::ring},
                                                   {"all_gather", ContextExchange::all_gather},
                                                   {"all_to_all", ContextExchange::all_to_all}};
    return table;
}

const Vocabulary<spec::GradientCompression>& compression_words()
{
    using spec::GradientCompression;
    static const Vocabulary<GradientCompression> table{{"none", GradientCompression::none},
                                                       {"fp8", GradientCompression::fp8},
                                                       {"int8", GradientCompression::int8},
                                                       {"top_k", GradientCompression::top_k}};
    return table;
}

const Vocabulary<spec::Optimizer>& optimizer_words()
{
    using spec::Optimizer;
    static const Vocabulary<Optimizer> table{{"adam", Optimizer::adam},
                                             {"adam_8bit", Optimizer::adam_8bit},
                                             {"adafactor", Optimizer::adafactor},
                                             {"momentum", Optimizer::momentum},
                                             {"sgd", Optimizer::sgd}};
    return table;
}

const Vocabulary<spec::AttentionLibrary>& attention_library_words()
{
    using spec::AttentionLibrary;
    static const auto table = [] {
        Vocabulary<AttentionLibrary> words;
        for (const auto library :
             {AttentionLibrary::unfused, AttentionLibrary::flash_1, AttentionLibrary::flash_2,
              AttentionLibrary::flash_3, AttentionLibrary::cudnn}) {
            words.emplace_back(spec::attention_library_name(library), library);
        }
        return words;
    }();
    return table;
}

const Vocabulary<spec::Fidelity>& fidelity_words()
{
    static const Vocabulary<spec::Fidelity> table{{"analytic", spec::Fidelity::analytic},
                                                  {"flow", spec::Fidelity::flow},
                                                  {"chunk", spec::Fidelity::chunk}};
    return table;
}

const Vocabulary<spec::Schedule>& schedule_words()
{
    static const Vocabulary<spec::Schedule> table{
        {"1f1b", spec::Schedule::one_forward_one_backward},
        {"gpipe", spec::Schedule::all_forward},
        {"zero_bubble", spec::Schedule::zero_bubble}};
    return table;
}

const Vocabulary<spec::Bucketing>& bucketing_words()
{
    using spec::Bucketing;
    static const Vocabulary<Bucketing> table{{"size", Bucketing::size},
                                             {"first_stage", Bucketing::first_stage},
                                             {"layer", Bucketing::layer},
                                             {"chunk", Bucketing::chunk},
                                             {"stage", Bucketing::stage}};
    return table;
}

const Vocabulary<spec::TensorOverlap>& tensor_overlap_words()
{
    using spec::TensorOverlap;
    static const Vocabulary<TensorOverlap> table{
        {"none", TensorOverlap::none},
        {"weight_gradient", TensorOverlap::weight_gradient},
        {"pipelined", TensorOverlap::pipelined}};
    return table;
}

const Vocabulary<spec::ParameterExchange>& parameter_exchange_words()
{
    using spec::ParameterExchange;
    static const Vocabulary<ParameterExchange> table{{"gather", ParameterExchange::gather},
                                                     {"broadcast", ParameterExchange::broadcast}};
    return table;
}

const Vocabulary<spec::DataTier>& data_tier_words()
{
    static const Vocabulary<spec::DataTier> table{{"hbm", spec::DataTier::hbm},
                                                  {"dram", spec::DataTier::dram},
                                                  {"pool", spec::DataTier::pool},
                                                  {"storage", spec::DataTier::storage},
                                                  {"files", spec::DataTier::files}};
    return table;
}

}  // namespace sim::config
