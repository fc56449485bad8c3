#include "engine/engine.hpp"

#include "core/contract.hpp"
#include "engine/native_engine.hpp"
#include "engine/simgrid_engine.hpp"
#include "engine/simgrid_options.hpp"

namespace sim::engine
{

std::unique_ptr<Engine> make_engine(Kind kind)
{
    switch (kind) {
        case Kind::native:
            return make_native_engine();
        case Kind::simgrid:
            return make_simgrid_engine();
    }
    SIM_EXPECT(false);
    return nullptr;
}

std::vector<std::string> engine_options(Kind kind)
{
    return kind == Kind::simgrid ? simgrid_options() : std::vector<std::string>{};
}

}  // namespace sim::engine
