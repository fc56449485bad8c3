#pragma once

#include <cstddef>
#include <vector>

#include "formats/byte_source.hpp"

namespace sim::formats
{

/// The bytes of a file as RapidJSON's reader takes them, block by block, so that files larger than
/// the memory can be parsed.
class JsonBlocks
{
public:
    using Ch = char;

    explicit JsonBlocks(ByteSource& bytes) : bytes_{bytes}, block_(kBlock) { refill(); }

    [[nodiscard]] Ch Peek() const { return next_ < filled_ ? block_[next_] : '\0'; }
    Ch Take()
    {
        if (next_ == filled_) {
            return '\0';
        }
        const auto taken = block_[next_++];
        if (next_ == filled_) {
            refill();
        }
        return taken;
    }
    [[nodiscard]] std::size_t Tell() const { return before_ + next_; }

    // RapidJSON asks for these of streams that it also writes to.
    Ch* PutBegin() { return nullptr; }
    void Put(Ch) {}
    void Flush() {}
    std::size_t PutEnd(Ch*) { return 0; }

private:
    static constexpr std::size_t kBlock = std::size_t{1} << 18U;

    void refill()
    {
        before_ += filled_;
        next_ = 0;
        filled_ = bytes_.read(block_);
    }

    ByteSource& bytes_;
    std::vector<char> block_;
    std::size_t before_ = 0;  ///< bytes of earlier blocks
    std::size_t next_ = 0;
    std::size_t filled_ = 0;
};

}  // namespace sim::formats
