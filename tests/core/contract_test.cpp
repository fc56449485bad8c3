#include "core/contract.hpp"

#include <gmock/gmock.h>

namespace sim
{
namespace
{

TEST(Contract, AKeptPromiseSaysNothing) { EXPECT_NO_THROW(SIM_EXPECT(1 + 1 == 2)); }

TEST(Contract, ABrokenPromiseNamesThePlaceAndTheExpression)
{
    try {
        SIM_EXPECT(1 + 1 == 3);
        FAIL() << "SIM_EXPECT let a false condition pass";
    } catch (const ContractViolation& violation) {
        EXPECT_THAT(violation.what(), testing::HasSubstr("contract_test.cpp:"));
        EXPECT_THAT(violation.what(), testing::HasSubstr("1 + 1 == 3"));
    }
}

}  // namespace
}  // namespace sim
