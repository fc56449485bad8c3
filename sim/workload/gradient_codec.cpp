#include "workload/gradient_codec.hpp"

#include <cmath>

namespace sim::workload
{

namespace
{

constexpr double kPlace = 4;     ///< bytes
constexpr double kResidual = 4;  ///< fp32

}  // namespace

GradientCodec::GradientCodec(const spec::WorkloadSpec& workload)
    : kind_{workload.compression},
      share_{workload.kept_gradients},
      gradient_{spec::element_bytes(workload.gradient_precision)}
{
}

double GradientCodec::quantised(double parameters) const
{
    return parameters * (1 + 4.0 / spec::kQuantisedBlock);
}

std::int64_t GradientCodec::kept(std::int64_t parameters) const
{
    return std::llround(std::ceil(share_ * static_cast<double>(parameters)));
}

CollectiveKind GradientCodec::collective(const Sum& sum) const
{
    if (kind_ == spec::GradientCompression::top_k) {
        return CollectiveKind::all_gather;
    }
    return sum.shards ? CollectiveKind::reduce_scatter : CollectiveKind::all_reduce;
}

Bytes GradientCodec::size(const Sum& sum) const
{
    const auto parameters = static_cast<double>(sum.parameters);
    switch (kind_) {
        case spec::GradientCompression::none:
            break;
        case spec::GradientCompression::fp8:
        case spec::GradientCompression::int8:
            return Bytes::of(std::llround(quantised(parameters)));
        case spec::GradientCompression::top_k:
            return Bytes::of(std::llround(static_cast<double>(sum.ranks * kept(sum.parameters)) *
                                          (gradient_ + kPlace)));
    }
    return Bytes::of(std::llround(gradient_ * parameters));
}

/// Quantised: read for the scale, read again, written. top_k: gradient and residual are read and
/// the residual written, then read again for what is above the threshold.
double GradientCodec::packing_bytes(const Sum& sum) const
{
    const auto parameters = static_cast<double>(sum.parameters);
    if (kind_ == spec::GradientCompression::top_k) {
        return parameters * (gradient_ + 3 * kResidual) +
               static_cast<double>(kept(sum.parameters)) * (gradient_ + kPlace);
    }
    return 2 * gradient_ * parameters + quantised(parameters);
}

/// Quantised: read, and written as wide as it was. top_k: zeros are written, then what came is read
/// and added.
double GradientCodec::unpacking_bytes(const Sum& sum) const
{
    const auto parameters = static_cast<double>(sum.parameters);
    if (kind_ == spec::GradientCompression::top_k) {
        return gradient_ * parameters +
               static_cast<double>(sum.ranks * kept(sum.parameters)) * (3 * gradient_ + kPlace);
    }
    const auto left = sum.shards ? parameters / static_cast<double>(sum.ranks) : parameters;
    return quantised(left) + gradient_ * left;
}

double GradientCodec::residual_bytes() const
{
    return kind_ == spec::GradientCompression::top_k ? kResidual : 0;
}

}  // namespace sim::workload
