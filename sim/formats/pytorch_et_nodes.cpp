#include "formats/pytorch_et_nodes.hpp"

#include <fmt/format.h>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <algorithm>
#include <limits>

#include "core/diagnostics.hpp"
#include "formats/json_blocks.hpp"

namespace sim::formats
{

namespace
{

using rapidjson::SizeType;
using rapidjson::Value;

constexpr unsigned kParse = rapidjson::kParseIterativeFlag | rapidjson::kParseNanAndInfFlag;
constexpr SizeType kTensorParts = 6;  // tensor, storage, offset, elements, bytes of one, device

[[noreturn]] void refuse_file(const std::string& name, std::string message, std::string hint = {})
{
    Diagnostic diagnostic;
    diagnostic.file = name;
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    throw InputError{{diagnostic}};
}

const Value& member(const Value& object, const char* key)
{
    static const Value kNone;
    return object.IsObject() && object.HasMember(key) ? object[key] : kNone;
}

std::uint64_t id_of(const Value& value) { return value.IsUint64() ? value.GetUint64() : 0; }

bool is_tensor(const Value& value)
{
    return value.IsArray() && value.Size() == kTensorParts && value[5].IsString() &&
           value[3].IsInt64() && value[4].IsInt64() && value[1].IsInt64();
}

std::vector<std::int64_t> shape_of(const Value& shape)
{
    std::vector<std::int64_t> sizes;
    for (SizeType i = 0; shape.IsArray() && i < shape.Size(); ++i) {
        sizes.push_back(shape[i].IsInt64() ? std::max<std::int64_t>(0, shape[i].GetInt64()) : 0);
    }
    return sizes;
}

/// Tensors among the values, those in lists too.
void add_tensors(const Value& values, const Value& shapes, std::vector<EtTensor>& tensors)
{
    for (SizeType i = 0; values.IsArray() && i < values.Size(); ++i) {
        static const Value kNone;
        const auto& shape = shapes.IsArray() && i < shapes.Size() ? shapes[i] : kNone;
        const auto& value = values[i];
        if (is_tensor(value)) {
            constexpr auto kMost = std::int64_t{1} << 50U;
            const auto elements = std::clamp<std::int64_t>(value[3].GetInt64(), 0, kMost);
            const auto size = std::clamp<std::int64_t>(value[4].GetInt64(), 0, 16);
            const std::string_view device{value[5].GetString(), value[5].GetStringLength()};
            tensors.push_back({value[1].GetInt64(), std::min(elements * size, kMost),
                               device != "cpu" && !device.empty(), shape_of(shape)});
        } else if (value.IsArray() && value.Size() > 0 && value[0].IsArray()) {
            add_tensors(value, shape, tensors);
        }
    }
}

/// Their order differs between schemas; the only text that is not in a list is the name, before it
/// are the rank and the group, before those the sequence number.
std::optional<EtMessage> message_of(const Value& values)
{
    SizeType at = 0;
    while (values.IsArray() && at < values.Size() && !values[at].IsString()) {
        ++at;
    }
    if (!values.IsArray() || at >= values.Size() || at < 3) {
        return std::nullopt;
    }
    EtMessage message;
    message.collective = values[at].GetString();
    constexpr auto kMost = std::int64_t{1} << 24U;
    if (values[at - 1].IsInt64()) {
        message.rank = static_cast<std::uint32_t>(
            std::clamp<std::int64_t>(values[at - 1].GetInt64(), 0, kMost));
    }
    const auto& group = values[at - 2];
    if (group.IsArray() && group.Size() > 0 && group[0].IsString()) {
        message.group = group[0].GetString();
    }
    if (values[at - 3].IsInt64()) {
        message.sequence = values[at - 3].GetInt64();
    }
    const auto number = [&](SizeType behind) {
        const auto place = at + behind;
        return place < values.Size() && values[place].IsInt64() ? values[place].GetInt64() : -1;
    };
    message.first_rank = number(3);
    message.rank_stride = number(4);
    message.group_size = number(5);
    return message;
}

EtNode node_of(const Value& value)
{
    EtNode node;
    node.id = id_of(member(value, "id"));
    const auto& name = member(value, "name");
    node.what.name = name.IsString() ? name.GetString() : "";
    const bool flat = member(value, "inputs").IsArray();
    node.parent = id_of(member(value, flat ? "parent" : "ctrl_deps"));
    const auto& inputs = member(value, "inputs");
    const auto& outputs = member(value, "outputs");
    const auto& values = flat ? inputs : member(inputs, "values");
    add_tensors(values, flat ? member(value, "input_shapes") : member(inputs, "shapes"),
                node.what.inputs);
    add_tensors(flat ? outputs : member(outputs, "values"),
                flat ? member(value, "output_shapes") : member(outputs, "shapes"),
                node.what.outputs);
    if (node.what.name == "record_param_comms") {
        node.message = message_of(values);
    }
    return node;
}

}  // namespace

std::vector<EtNode> read_et_nodes(const std::string& name, ByteSource& bytes)
{
    JsonBlocks blocks{bytes};
    rapidjson::Document document;
    document.ParseStream<kParse>(blocks);
    if (document.HasParseError()) {
        refuse_file(name, fmt::format("is not whole JSON: {} (at byte {})",
                                      rapidjson::GetParseError_En(document.GetParseError()),
                                      document.GetErrorOffset()));
    }
    const auto& list = member(document, "nodes");
    if (!list.IsArray()) {
        refuse_file(name, "has no nodes");
    }
    std::vector<EtNode> nodes;
    for (SizeType i = 0; i < list.Size(); ++i) {
        nodes.push_back(node_of(list[i]));
    }
    std::stable_sort(nodes.begin(), nodes.end(),
                     [](const EtNode& a, const EtNode& b) { return a.id < b.id; });
    return nodes;
}

}  // namespace sim::formats
