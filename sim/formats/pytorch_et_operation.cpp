#include "formats/pytorch_et_operation.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace sim::formats
{

namespace
{

double elements(const std::vector<std::int64_t>& shape)
{
    double all = 1;
    for (const auto size : shape) {
        all *= static_cast<double>(size);
    }
    return all;
}

/// Of a matrix with this shape, or a batch of them, times one with the other: 2 x rows x columns x
/// what is summed over.
double product(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b)
{
    if (a.size() < 2 || b.size() < 2) {
        return 0;
    }
    return 2 * elements(a) * static_cast<double>(b.back());
}

/// Every element of the output sums over channels of a group times the filter.
double convolution(const std::vector<std::int64_t>& output, const std::vector<std::int64_t>& weight)
{
    if (output.empty() || weight.size() < 3 || weight[0] == 0) {
        return 0;
    }
    return 2 * elements(output) * elements(weight) / static_cast<double>(weight[0]);
}

bool ends_with_any(std::string_view name, const std::vector<std::string_view>& endings)
{
    return std::any_of(endings.begin(), endings.end(),
                       [&](std::string_view ending) { return name == ending; });
}

double flops_of(const EtOperator& each)
{
    const auto shape = [&](std::size_t i) -> const std::vector<std::int64_t>& {
        static const std::vector<std::int64_t> kNone;
        return i < each.inputs.size() ? each.inputs[i].shape : kNone;
    };
    const std::string_view name = each.name;
    if (ends_with_any(name, {"aten::mm", "aten::bmm", "aten::matmul"})) {
        return product(shape(0), shape(1));
    }
    if (ends_with_any(name, {"aten::addmm", "aten::baddbmm"})) {
        return product(shape(1), shape(2));
    }
    if (name.find("convolution_backward") != std::string_view::npos) {
        // The gradients of input and weight: as much as the forward each.
        return 2 * convolution(shape(0), shape(2));
    }
    if (name.find("convolution") != std::string_view::npos && !each.outputs.empty()) {
        return convolution(each.outputs[0].shape, shape(1));
    }
    return 0;
}

}  // namespace

bool is_view(const std::string& name)
{
    static constexpr std::array<std::string_view, 36> kViews{
        "aten::as_strided",  "aten::slice",
        "aten::narrow",      "aten::lift_fresh",
        "aten::item",        "aten::view",
        "aten::transpose",   "aten::t",
        "aten::flatten",     "aten::_reshape_alias",
        "aten::select",      "aten::detach",
        "aten::detach_",     "detach",
        "detach_",           "aten::record_stream",
        "aten::expand",      "aten::permute",
        "aten::squeeze",     "aten::unsqueeze",
        "aten::reshape",     "aten::split",
        "aten::chunk",       "aten::unbind",
        "aten::alias",       "aten::set_",
        "aten::resize_",     "aten::is_nonzero",
        "aten::unfold",      "aten::view_as",
        "aten::expand_as",   "aten::_unsafe_view",
        "aten::squeeze_",    "aten::unsqueeze_",
        "aten::result_type", "aten::diagonal"};
    return name.starts_with("aten::empty") ||
           std::find(kViews.begin(), kViews.end(), name) != kViews.end();
}

EtWork work_of(const EtOperator& each)
{
    EtWork work;
    work.flops = flops_of(each);
    for (const auto* tensors : {&each.inputs, &each.outputs}) {
        for (const auto& tensor : *tensors) {
            work.bytes += tensor.on_gpu ? static_cast<double>(tensor.bytes) : 0;
        }
    }
    return work;
}

}  // namespace sim::formats
