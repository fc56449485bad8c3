#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "formats/byte_source.hpp"

namespace sim::formats
{

/// A file whose beginning is looked at before it is read as a whole.
class PeekedSource final : public ByteSource
{
public:
    explicit PeekedSource(ByteSource& rest) : rest_{rest}, beginning_(kLooked, '\0')
    {
        std::size_t filled = 0;
        while (filled < beginning_.size()) {
            const auto count = rest_.read({beginning_.data() + filled, beginning_.size() - filled});
            if (count == 0) {
                break;
            }
            filled += count;
        }
        beginning_.resize(filled);
    }

    [[nodiscard]] std::string_view beginning() const { return beginning_; }

    std::size_t read(std::span<char> buffer) override
    {
        if (next_ == beginning_.size()) {
            return rest_.read(buffer);
        }
        const auto count = std::min(buffer.size(), beginning_.size() - next_);
        std::copy_n(beginning_.begin() + static_cast<std::ptrdiff_t>(next_), count, buffer.begin());
        next_ += count;
        return count;
    }

private:
    static constexpr std::size_t kLooked = std::size_t{1} << 16U;

    ByteSource& rest_;
    std::string beginning_;
    std::size_t next_ = 0;
};

}  // namespace sim::formats
