#include "fabric/catalogue.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/contract.hpp"
#include "fabric/clusters.hpp"

namespace sim::fabric
{
namespace
{

/// The words of every alternative of a variant.
template <class... Alternatives>
std::vector<std::string_view> words(const std::variant<Alternatives...>* /*which*/)
{
    return {Alternatives::kKind...};
}

template <class Table>
void expect_each_once(const std::vector<std::string_view>& kinds, const Table& table)
{
    EXPECT_EQ(kinds.size(), table.size());
    for (const auto kind : kinds) {
        EXPECT_EQ(std::count_if(table.begin(), table.end(),
                                [&](const auto& entry) { return entry.kind == kind; }),
                  1)
            << kind;
    }
}

TEST(Catalogue, HasEveryKindThatCanBeDescribedOnce)
{
    expect_each_once(words(static_cast<const spec::Network*>(nullptr)), network_kinds());
    expect_each_once(words(static_cast<const spec::ScaleUp*>(nullptr)), node_kinds());
}

TEST(Catalogue, AKindThatNobodyCanDescribeIsABug)
{
    EXPECT_THROW((void)network_kind("moebius"), ContractViolation);
    EXPECT_THROW((void)node_kind("moebius"), ContractViolation);
}

}  // namespace
}  // namespace sim::fabric
