#pragma once

#include <stdexcept>

namespace sim
{

/// A bug of ours was found. Not caught before main, which prints it and exits with 5.
class ContractViolation : public std::logic_error
{
public:
    using std::logic_error::logic_error;
};

/// Throws ContractViolation with the place and the words.
[[noreturn]] void contract_failed(const char* file, int line, const char* expression);

}  // namespace sim

/// What must hold if this code is right, whatever the user wrote. On in every build.
#define SIM_EXPECT(condition)                                       \
    do {                                                            \
        if (!(condition)) {                                         \
            ::sim::contract_failed(__FILE__, __LINE__, #condition); \
        }                                                           \
    } while (false)
