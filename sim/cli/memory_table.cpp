#include "cli/table.hpp"
#include "cli/tables.hpp"
#include "core/quantity_text.hpp"

namespace sim::cli
{

std::string memory_table(const sweep::Fit& fit)
{
    Table table;
    table.column("GPU memory", Table::Align::left);
    for (const auto* header : {"weights", "gradients", "optimizer", "activations", "temporary",
                               "reserved", "total", "of"}) {
        table.column(header);
    }
    for (std::size_t s = 0; s < fit.stages.size(); ++s) {
        const auto& f = fit.stages[s];
        table.row({"stage " + std::to_string(s), to_text(f.weights), to_text(f.gradients),
                   to_text(f.optimizer), to_text(f.activations), to_text(f.temporary),
                   to_text(f.reserved), to_text(f.total()), to_text(fit.gpu_memory)});
    }
    return table.text();
}

}  // namespace sim::cli
