#pragma once

namespace sim
{

/// A bug of ours was found: prints the place and the words, exits with 5 through main's handler.
[[noreturn]] void contract_failed(const char* file, int line, const char* expression);

}  // namespace sim

/// What must hold if this code is right, whatever the user wrote. On in every build.
#define SIM_EXPECT(condition)                                             \
    do {                                                                  \
        if (!(condition)) {                                               \
            ::sim::contract_failed(__FILE__, __LINE__, #condition);       \
        }                                                                 \
    } while (false)
