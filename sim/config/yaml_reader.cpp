#include "config/yaml_reader.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <sstream>
#include <utility>
#include <vector>

namespace sim::config
{

namespace
{

/// Turns yaml-cpp's graph (aliases are shared nodes) into our tree.
class Converter
{
public:
    Converter(const std::shared_ptr<const Source>& source, Budget& budget)
        : source_{source}, budget_{budget}
    {
    }

    Node convert(const YAML::Node& yaml, const std::string& key, int depth)
    {
        Node node;
        node.mark = mark(yaml.Mark());
        if (exhausted(node.mark, depth)) {
            return node;
        }
        if (yaml.IsScalar()) {
            node.kind = Node::Kind::scalar;
            node.text = yaml.Scalar();
        } else if (yaml.IsSequence()) {
            node.kind = Node::Kind::sequence;
            for (std::size_t i = 0; i < yaml.size() && !stopped_; ++i) {
                node.items.push_back(convert(yaml[i], fmt::format("{}.{}", key, i), depth + 1));
            }
        } else if (yaml.IsMap()) {
            node.kind = Node::Kind::mapping;
            convert_entries(yaml, key, depth, node);
            unwrap_sourced(node, key);
        }
        return node;
    }

    [[nodiscard]] Diagnostics take() { return std::move(diagnostics_); }

private:
    [[nodiscard]] Mark mark(const YAML::Mark& at) const
    {
        return {source_, at.is_null() ? 1 : at.line + 1, at.is_null() ? 1 : at.column + 1};
    }

    void error(const Mark& at, const std::string& key, std::string message, std::string hint)
    {
        diagnostics_.push_back(diagnostic_at(at, key, std::move(message), std::move(hint)));
    }

    bool exhausted(const Mark& at, int depth)
    {
        if (stopped_) {
            return true;
        }
        if (depth > budget_.depth) {
            error(at, "", fmt::format("nested more than {} levels deep", budget_.depth), "");
            stopped_ = true;
        } else if (--budget_.values < 0) {
            error(at, "", "too many values: aliases or extends repeat them without end", "");
            stopped_ = true;
        }
        return stopped_;
    }

    void convert_entries(const YAML::Node& yaml, const std::string& key, int depth, Node& node)
    {
        for (const auto& pair : yaml) {
            if (stopped_) {
                return;
            }
            const auto at = mark(pair.first.Mark());
            if (!pair.first.IsScalar()) {
                error(at, key, "a key must be a plain word", "");
                continue;
            }
            const auto& name = pair.first.Scalar();
            const auto path = key.empty() ? name : key + "." + name;
            if (const auto* before = node.find(name)) {
                error(at, path, fmt::format("written twice; first in line {}", before->mark.line),
                      "keep one of the two");
                continue;
            }
            node.entries.push_back({name, at, convert(pair.second, path, depth + 1), false, {}});
        }
    }

    /// A number may stand beside the place it was read.
    void unwrap_sourced(Node& node, const std::string& key)
    {
        const auto* value = node.find("value");
        if (value == nullptr) {
            return;
        }
        for (const auto& entry : node.entries) {
            if (entry.key != "value" && entry.key != "source") {
                error(entry.mark, key + "." + entry.key, "unknown key",
                      "only \"source\" stands beside \"value\"");
            }
        }
        const auto* source = node.find("source");
        if (source != nullptr && source->value.kind != Node::Kind::scalar) {
            error(source->mark, key + ".source", "must be a text", "write source: \"where from\"");
        }
        node = Node{value->value};
    }

    std::shared_ptr<const Source> source_;
    Budget& budget_;
    Diagnostics diagnostics_;
    bool stopped_ = false;
};

/// Where documents begin; hears nothing else.
class Beginnings : public YAML::EventHandler
{
public:
    std::vector<YAML::Mark> marks;

private:
    void OnDocumentStart(const YAML::Mark& mark) override { marks.push_back(mark); }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
    void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  const std::string&) override
    {
    }
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                         YAML::EmitterStyle::value) override
    {
    }
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                    YAML::EmitterStyle::value) override
    {
    }
    void OnMapEnd() override {}
};

/// The first two, no more: yaml-cpp finds documents without end before a comma or bracket that
/// nothing opened.
std::vector<YAML::Mark> first_documents(const std::string& text)
{
    std::istringstream stream{text};
    YAML::Parser parser{stream};
    Beginnings beginnings;
    while (beginnings.marks.size() < 2 && parser.HandleNextDocument(beginnings)) {
    }
    return beginnings.marks;
}

Diagnostic what_follows(const YAML::Mark& at, const std::shared_ptr<const Source>& source)
{
    const Mark mark{source, at.line + 1, at.column + 1};
    const auto place = static_cast<std::size_t>(at.pos);
    const char next = at.pos >= 0 && place < source->text.size() ? source->text[place] : ' ';
    if (next == ',' || next == ']' || next == '}') {
        return diagnostic_at(mark, "", fmt::format("not YAML: nothing begins with \"{}\"", next),
                             "");
    }
    return diagnostic_at(mark, "", "a second document in one file",
                         "remove the line \"---\" or split the file");
}

}  // namespace

Node read_yaml(const std::shared_ptr<const Source>& source, Budget& budget)
{
    std::vector<YAML::Mark> documents;
    YAML::Node first;
    try {
        documents = first_documents(source->text);
        if (documents.size() == 1) {
            first = YAML::Load(source->text);
        }
    } catch (const YAML::Exception& problem) {
        const auto& at = problem.mark;
        const Mark mark{source, at.is_null() ? 0 : at.line + 1, at.is_null() ? 0 : at.column + 1};
        throw InputError{{diagnostic_at(mark, "", "not YAML: " + problem.msg, "")}};
    }
    if (documents.size() > 1) {
        throw InputError{{what_follows(documents[1], source)}};
    }
    if (documents.empty()) {
        return null_node({source, 0, 0});
    }
    Converter converter{source, budget};
    auto node = converter.convert(first, "", 0);
    auto diagnostics = converter.take();
    if (!diagnostics.empty()) {
        throw InputError{std::move(diagnostics)};
    }
    return node;
}

}  // namespace sim::config
