#include "core/contract.hpp"

#include <fmt/format.h>

namespace sim
{

void contract_failed(const char* file, int line, const char* expression)
{
    throw ContractViolation{fmt::format("{}:{}: broken contract: {}", file, line, expression)};
}

}  // namespace sim
