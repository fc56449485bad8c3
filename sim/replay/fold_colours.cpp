#include "replay/fold_colours.hpp"

#include <bit>

#include "core/random.hpp"

namespace sim::replay
{

namespace
{

/// Open addressing with linear probing; colours are hashes already.
class Numbering
{
public:
    explicit Numbering(std::size_t colours)
        : slots_(std::bit_ceil(2 * colours + 1)), mask_{slots_.size() - 1}
    {
    }

    /// The colour's number; `next` when it is new.
    std::uint32_t number(Colour colour, std::uint32_t next)
    {
        for (auto at = mix(colour, 0) & mask_;; at = (at + 1) & mask_) {
            auto& slot = slots_[at];
            if (slot.number == kFree) {
                slot = {colour, next};
                return next;
            }
            if (slot.colour == colour) {
                return slot.number;
            }
        }
    }

private:
    static constexpr std::uint32_t kFree = 0xffffffff;
    struct Slot {
        Colour colour = 0;
        std::uint32_t number = kFree;
    };
    std::vector<Slot> slots_;
    std::size_t mask_;
};

}  // namespace

Classes classes(std::span<const Colour> colours)
{
    Classes found;
    found.of.reserve(colours.size());
    Numbering numbering{colours.size()};
    for (std::uint32_t member = 0; member < colours.size(); ++member) {
        const auto next = static_cast<std::uint32_t>(found.first.size());
        const auto number = numbering.number(colours[member], next);
        if (number == next) {
            found.first.push_back(member);
            found.size.push_back(0);
        }
        found.of.push_back(number);
        ++found.size[number];
    }
    return found;
}

std::size_t count_classes(std::span<const Colour> colours)
{
    Numbering numbering{colours.size()};
    std::uint32_t count = 0;
    for (const auto colour : colours) {
        count += numbering.number(colour, count) == count ? 1 : 0;
    }
    return count;
}

}  // namespace sim::replay
