#include "config/explore.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "config/conditions.hpp"
#include "config/trial_document.hpp"

namespace sim::config
{

namespace
{

/// Far more than any reader nests.
constexpr int kMostRounds = 64;

class Explorer
{
public:
    explicit Explorer(const Reading& read) : read_{read} {}

    std::unique_ptr<MapOutline> explore()
    {
        settle(document_);
        conditions_.add(observe(document_, {}));
        meet_new_keys(document_, {});
        vary_all();
        for (const auto& [one, other] : conditions_.entangled()) {
            vary_together(*one, *other);
        }
        vary_all();
        conditions_.find(*root_);
        drop_unasked();
        return std::move(root_);
    }

private:
    /// A key to write in every way, in the document in which it was first met.
    struct Task {
        KeyOutline* key;
        Node document;
        std::vector<Doubt> doubts;
    };

    void vary_all()
    {
        while (!waiting_.empty()) {
            const auto task = std::move(waiting_.front());
            waiting_.pop_front();
            vary(task);
            contexts_.emplace(task.key->number, task);
        }
    }

    void read(const Node& document)
    {
        each_map(*root_, [](MapOutline& map) {
            map.present = false;
            map.closing.asked = map.closing.required = false;
            for (const auto& key : map.keys) {
                key->asked = key->required = key->mentioned = false;
            }
        });
        Report report;
        report.outline_into(*root_);
        read_(document, report);
    }

    /// Writes what is required until nothing is missing.
    void settle(Node& document)
    {
        for (int round = 0; round < kMostRounds; ++round) {
            read(document);
            bool changed = false;
            each_map(*root_, [&](MapOutline& map) {
                for (const auto& key : map.keys) {
                    changed = (map.present && key->required && complete(document, *key)) || changed;
                }
            });
            if (!changed) {
                return;
            }
        }
    }

    static bool complete(Node& document, const KeyOutline& key)
    {
        const auto* stands = value_at(document, key);
        const bool open = stands != nullptr && stands->kind == Node::Kind::scalar &&
                          stands->text == kPlaceholder && !may_be(key, *stands);
        auto value = first_way_to_write(key);
        const bool known = value.text != kPlaceholder;
        if (stands != nullptr && !(open && known)) {
            return false;
        }
        write_at(document, key, std::move(value));
        return true;
    }

    Observation observe(const Node& document, std::vector<Doubt> doubts)
    {
        Observation seen;
        seen.doubts = std::move(doubts);
        look_into(seen, *root_, &document);
        return seen;
    }

    /// `node`: what stands for the mapping; may be null.
    void look_into(Observation& seen, MapOutline& map, const Node* node)
    {
        note(seen, map.closing, nullptr, map);
        for (const auto& key : map.keys) {
            const auto* entry = node == nullptr ? nullptr : node->find(key->name);
            const bool stands = entry != nullptr && entry->value.kind != Node::Kind::null;
            const auto* value = stands ? &entry->value : nullptr;
            note(seen, *key, value, map);
            if (key->section) {
                look_into(seen, *key->section, value);
            }
            if (key->items) {
                const bool any = stands && !value->items.empty();
                look_into(seen, *key->items, any ? &value->items.front() : nullptr);
            }
        }
    }

    void note(Observation& seen, KeyOutline& key, const Node* value, const MapOutline& around)
    {
        if (key.number < 0) {
            key.number = numbers_++;
            conditions_.place(key.number, around.closing.number);
        }
        seen.keys.resize(std::max(seen.keys.size(), static_cast<std::size_t>(numbers_)));
        // Where a reader needs a key only if it is written, it is not needed.
        const bool for_itself = key.mentioned && value != nullptr;
        seen.keys[static_cast<std::size_t>(key.number)] = {
            around.present, key.asked || key.mentioned, key.required && !for_itself,
            conditions_.number_of(written(value))};
    }

    static std::string written(const Node* value)
    {
        if (value == nullptr) {
            return {};
        }
        return value->kind == Node::Kind::scalar ? value->text : kind_words(*value);
    }

    void meet_new_keys(const Node& document, const std::vector<Doubt>& doubts)
    {
        each_map(*root_, [&](MapOutline& map) {
            for (const auto& key : map.keys) {
                const bool asked = map.present && (key->asked || key->mentioned);
                if (asked && met_.insert(key.get()).second) {
                    waiting_.push_back({key.get(), document, doubts});
                }
            }
        });
    }

    /// In ways that readers named while others were tried, too.
    void vary(const Task& task)
    {
        std::vector<Observation> seen;
        std::vector<Node> tried;
        for (bool more = true; more;) {
            more = false;
            for (const auto& way : all_ways(*task.key)) {
                if (!is_among(tried, way)) {
                    auto with = task;
                    tried.push_back(way);
                    seen.push_back(turn(with, *task.key, way));
                    more = true;
                }
            }
        }
        conditions_.compare(*task.key, seen);
        for (auto& one : seen) {
            conditions_.add(std::move(one));
        }
    }

    static bool is_among(const std::vector<Node>& ways, const Node& way)
    {
        return std::any_of(ways.begin(), ways.end(), [&](const Node& known) {
            return known.kind == way.kind && flow_text(known) == flow_text(way);
        });
    }

    /// Two keys that something depends on, in every way of both.
    void vary_together(KeyOutline& one, KeyOutline& other)
    {
        const auto& first = contexts_.at(one.number);
        const auto& last = contexts_.at(other.number);
        const auto& later = first.doubts.size() > last.doubts.size() ? first : last;
        const auto ways = all_ways(one);
        const auto others = all_ways(other);
        std::vector<std::vector<Observation>> of_other(others.size());
        for (const auto& way : ways) {
            std::vector<Observation> of_way;
            for (std::size_t i = 0; i < others.size(); ++i) {
                auto task = later;
                static_cast<void>(turn(task, one, way));
                of_way.push_back(turn(task, other, others[i]));
                of_other[i].push_back(of_way.back());
                conditions_.add(of_way.back());
            }
            conditions_.compare(other, of_way);
        }
        for (const auto& seen : of_other) {
            conditions_.compare(one, seen);
        }
    }

    static std::vector<Node> all_ways(const KeyOutline& key)
    {
        auto ways = ways_to_write(key);
        ways.push_back(null_node({}));
        return ways;
    }

    /// Writes the key that way into the task's document, and sees what becomes of the others.
    Observation turn(Task& task, KeyOutline& key, const Node& way)
    {
        write_at(task.document, key, way);
        if (way.kind == Node::Kind::null) {
            read(task.document);  // to settle would write it again
        } else {
            settle(task.document);
        }
        task.doubts.push_back({&key, way});
        meet_new_keys(task.document, task.doubts);
        return observe(task.document, task.doubts);
    }

    /// A key whose presence was looked at, and that was then never read.
    void drop_unasked()
    {
        each_map(*root_, [](MapOutline& map) {
            auto& keys = map.keys;
            keys.erase(std::remove_if(keys.begin(), keys.end(),
                                      [](const auto& key) { return !key->ever_asked; }),
                       keys.end());
        });
    }

    const Reading& read_;
    std::unique_ptr<MapOutline> root_ = std::make_unique<MapOutline>();
    Node document_ = mapping_node({});
    std::set<const KeyOutline*> met_;
    std::deque<Task> waiting_;
    std::map<int, Task> contexts_;  ///< by the key's number
    Conditions conditions_;
    int numbers_ = 0;
};

}  // namespace

std::unique_ptr<MapOutline> explore(const Reading& read) { return Explorer{read}.explore(); }

}  // namespace sim::config
