#include "cli/fit_tiers.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"
#include "core/quantity_text.hpp"

namespace sim::cli
{

namespace
{

constexpr double kHour = 3600;
constexpr double kKilowattHour = 3.6e6;

std::string table_of(const sweep::Frontier& frontier)
{
    Table table;
    table.column("GPUs");
    table.column("outside", Table::Align::left);
    for (const auto* header :
         {"step", "job", "peak power", "energy", "to buy", "an hour", "the job", "drives"}) {
        table.column(header);
    }
    for (const auto& choice : frontier.choices) {
        if (!choice.fits) {
            table.row({std::to_string(choice.gpus), choice.policy, "does not fit", "", "", "", "",
                       "", "", ""});
            continue;
        }
        table.row({std::to_string(choice.gpus), choice.policy, seconds(choice.step.base()),
                   fmt::format("{:.1f} h", choice.job.base() / kHour),
                   fmt::format("{:.1f} kW", choice.peak.base() / 1e3),
                   fmt::format("{:.0f} kWh", choice.energy / kKilowattHour),
                   fmt::format("{:.0f} kUSD", choice.capital.base() / 1e3),
                   fmt::format("{:.2f} USD", choice.hourly.base()),
                   fmt::format("{:.0f} USD", choice.whole.base()),
                   choice.years > 0 ? fmt::format("{:.1f} years", choice.years) : "-"});
    }
    return table.text();
}

std::string csv_of(const sweep::Frontier& frontier)
{
    std::string csv =
        "gpus,policy,fits,step_s,job_s,peak_W,energy_J,capital_USD,hourly_USD,job_USD,years\n";
    for (const auto& c : frontier.choices) {
        csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", c.gpus, c.policy, c.fits,
                           c.step.base(), c.job.base(), c.peak.base(), c.energy, c.capital.base(),
                           c.hourly.base(), c.whole.base(), c.years);
    }
    return csv;
}

std::string json_of(const sweep::Frontier& frontier)
{
    nlohmann::ordered_json document;
    document["choices"] = nlohmann::ordered_json::array();
    for (const auto& c : frontier.choices) {
        document["choices"].push_back({{"gpus", c.gpus},
                                       {"policy", c.policy},
                                       {"fits", c.fits},
                                       {"step_s", c.step.base()},
                                       {"job_s", c.job.base()},
                                       {"peak_W", c.peak.base()},
                                       {"energy_J", c.energy},
                                       {"capital_USD", c.capital.base()},
                                       {"hourly_USD", c.hourly.base()},
                                       {"job_USD", c.whole.base()},
                                       {"years", c.years}});
    }
    document["verdict"] = sweep::verdict(frontier);
    return document.dump(2) + "\n";
}

}  // namespace

std::string frontier_text(const sweep::Frontier& frontier, const std::string& format)
{
    return format == "json"  ? json_of(frontier)
           : format == "csv" ? csv_of(frontier)
                             : table_of(frontier) + "\n" + sweep::verdict(frontier) + "\n";
}

std::string placement_text(const sweep::ResidenceSearch& found)
{
    if (!found.best) {
        return fmt::format("nothing fits, of {} policies\n", found.simulated);
    }
    const auto& offload = found.best->offload;
    const auto line = [](const char* name, const spec::Residence& residence) {
        return fmt::format("  {}: {{ to: {}, share: {} }}\n", name, spec::tier_name(residence.tier),
                           residence.share);
    };
    return "offload:\n" + line("weights", offload.weights) + line("gradients", offload.gradients) +
           line("optimizer", offload.optimizer) + line("activations", offload.activations) +
           fmt::format("  update: {}\n  prefetch: {}\n  through_dram: {}\n",
                       offload.update_on_host ? "host" : "gpu", offload.prefetch,
                       offload.through_dram) +
           fmt::format("  buffers: {{ count: {}, size: {} }}\n", offload.buffers.count,
                       to_text(offload.buffers.size)) +
           fmt::format("\nstep {}, the best of {} policies looked at\n",
                       seconds(found.best->step.base()), found.simulated);
}

}  // namespace sim::cli
