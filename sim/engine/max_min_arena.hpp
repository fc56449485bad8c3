#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sim::engine
{

/// Where one flow meets one resource: which resource, and where in the resource's list of claims.
struct Crossing {
    std::uint32_t resource;
    std::uint32_t position;
    double consumption;
};

/// Blocks of crossings, each a power of two long; a freed block waits for the next flow of its
/// size, so that a run in its steady state allocates nothing.
class CrossingArena
{
public:
    /// The offset of a block that holds `count`.
    [[nodiscard]] std::uint32_t take(std::size_t count)
    {
        auto& free = free_[size_class(count)];
        if (!free.empty()) {
            const auto offset = free.back();
            free.pop_back();
            return offset;
        }
        const auto offset = static_cast<std::uint32_t>(storage_.size());
        storage_.resize(storage_.size() + (std::size_t{1} << size_class(count)));
        return offset;
    }

    void give_back(std::uint32_t offset, std::size_t count)
    {
        free_[size_class(count)].push_back(offset);
    }

    [[nodiscard]] std::span<Crossing> block(std::uint32_t offset, std::size_t count)
    {
        return {storage_.data() + offset, count};
    }
    [[nodiscard]] std::span<const Crossing> block(std::uint32_t offset, std::size_t count) const
    {
        return {storage_.data() + offset, count};
    }
    [[nodiscard]] Crossing& at(std::uint32_t index) { return storage_[index]; }
    [[nodiscard]] std::size_t capacity() const { return storage_.size(); }

private:
    static std::size_t size_class(std::size_t count)
    {
        return count <= 1 ? 0 : static_cast<std::size_t>(std::bit_width(count - 1));
    }

    std::vector<Crossing> storage_;
    std::vector<std::vector<std::uint32_t>> free_ = std::vector<std::vector<std::uint32_t>>(33);
};

}  // namespace sim::engine
