#pragma once

#include <string>
#include <utility>
#include <vector>

#include "spec/cluster.hpp"
#include "spec/fidelity.hpp"
#include "spec/optimizer.hpp"
#include "spec/precision.hpp"
#include "spec/wire_protocol.hpp"
#include "spec/workload.hpp"

namespace sim::config
{

template <class T>
using Vocabulary = std::vector<std::pair<std::string, T>>;

[[nodiscard]] const Vocabulary<spec::Precision>& precision_words();
[[nodiscard]] const Vocabulary<spec::Routing>& routing_words();
[[nodiscard]] const Vocabulary<spec::HashedBy>& hashed_by_words();
[[nodiscard]] const Vocabulary<spec::WireProtocol>& protocol_words();
[[nodiscard]] const Vocabulary<spec::Recompute>& recompute_words();
[[nodiscard]] const Vocabulary<spec::Dispatch>& dispatch_words();
[[nodiscard]] const Vocabulary<spec::ContextExchange>& context_exchange_words();
[[nodiscard]] const Vocabulary<spec::GradientCompression>& compression_words();
[[nodiscard]] const Vocabulary<spec::Optimizer>& optimizer_words();
[[nodiscard]] const Vocabulary<spec::Fidelity>& fidelity_words();
[[nodiscard]] const Vocabulary<spec::DataTier>& data_tier_words();
[[nodiscard]] const Vocabulary<spec::AttentionLibrary>& attention_library_words();
[[nodiscard]] const Vocabulary<spec::Schedule>& schedule_words();
[[nodiscard]] const Vocabulary<spec::Bucketing>& bucketing_words();
[[nodiscard]] const Vocabulary<spec::TensorOverlap>& tensor_overlap_words();
[[nodiscard]] const Vocabulary<spec::ParameterExchange>& parameter_exchange_words();

}  // namespace sim::config
