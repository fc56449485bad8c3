#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sim::formats
{

/// Names, each kept once.
class TraceLabels
{
public:
    std::uint32_t of(std::string_view name)
    {
        constexpr std::size_t kLongest = 200;  // of a C++ kernel's name
        const auto [found, fresh] =
            index_of_.emplace(name.substr(0, kLongest), static_cast<std::uint32_t>(all_.size()));
        if (fresh) {
            all_.push_back(found->first);
        }
        return found->second;
    }
    [[nodiscard]] const std::vector<std::string>& all() const { return all_; }
    [[nodiscard]] std::vector<std::string> take() { return std::move(all_); }

private:
    std::map<std::string, std::uint32_t> index_of_;
    std::vector<std::string> all_;
};

}  // namespace sim::formats
