#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "config/node.hpp"
#include "config/outline.hpp"

namespace sim::config
{

/// A value of a trial document that may turn out to be none that its key can have.
struct Doubt {
    const KeyOutline* key;
    Node value;
};

/// What became of one key when a document was read.
struct Sight {
    bool around = false;  ///< the mapping of the key was read
    bool asked = false;
    bool required = false;
    std::uint16_t value = 0;  ///< written for it; 0: nothing
};

/// What became of every key, by its number.
struct Observation {
    std::vector<Sight> keys;  ///< those that were known then
    std::vector<Doubt> doubts;
};

/// Finds when keys must or may not be written. A condition is taken only from what holds in every
/// document that was read and that has nothing but possible values.
class Conditions
{
public:
    using Pair = std::pair<KeyOutline*, KeyOutline*>;

    /// A number for a text, the same for the same; 0 for none.
    [[nodiscard]] std::uint16_t number_of(const std::string& value);

    /// Key `number` stands in the mapping that key `closing` closes. Numbers count from 0.
    void place(int number, int closing);

    /// `ways`: the same document but for what is written at `turned`.
    void compare(KeyOutline& turned, const std::vector<Observation>& ways);
    void add(Observation seen) { all_.push_back(std::move(seen)); }

    /// Keys that something depends on together.
    [[nodiscard]] std::vector<Pair> entangled() const;

    /// Fills in the conditions of every key.
    void find(MapOutline& root) const;

private:
    struct Told {
        bool always_required = true;
        bool never_asked = true;
    };

    [[nodiscard]] Sight sight(const Observation& seen, int number) const;
    void find_of(KeyOutline& key, const MapOutline& around) const;
    void by_values(KeyOutline& key, const KeyOutline& other, std::vector<std::string> path) const;

    std::vector<Observation> all_;
    std::vector<int> closing_;  ///< by number
    /// Of each key, by number: what changed its fate, by number.
    std::map<int, std::map<int, KeyOutline*>> turners_;
    std::map<std::string, std::uint16_t> numbers_;
    std::vector<std::string> texts_{{}};
};

/// False when a value is none that its key can have: no such document is right anyway.
[[nodiscard]] bool is_possible(const Observation& seen);

}  // namespace sim::config
