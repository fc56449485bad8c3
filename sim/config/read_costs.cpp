#include "config/read_costs.hpp"

#include "config/documents.hpp"
#include "config/read_offload.hpp"
#include "spec/checker.hpp"

namespace sim::config
{

namespace
{

spec::PartCost read_part(MapReader reader)
{
    spec::PartCost part;
    part.price = reader.required("price", quantity<Money>("30 kUSD"));
    part.power = reader.required("power", quantity<Power>("700 W"));
    reader.finish();
    return part;
}

Diagnostics validate(const spec::CostSpec& costs)
{
    Diagnostics diagnostics;
    spec::Checker check{diagnostics, ""};
    const auto part = [&](const std::string& name, const spec::PartCost& cost) {
        check.not_negative(name + ".price", cost.price.base());
        check.not_negative(name + ".power", cost.power.base());
    };
    part("gpu", costs.gpu);
    part("node", costs.node);
    part("memory_TB", costs.memory_TB);
    part("drive", costs.drive);
    check.not_negative("gpu_idle", costs.gpu_idle.base());
    check.not_negative("kilowatt_hour", costs.kilowatt_hour.base());
    check.positive("years", costs.years, "4");
    return diagnostics;
}

}  // namespace

spec::CostSpec read_costs(MapReader reader)
{
    const auto* example = "{ price: 30 kUSD, power: 700 W }";
    spec::CostSpec costs;
    costs.gpu = read_part(reader.section("gpu", example));
    costs.gpu_idle = reader.required("gpu_idle", quantity<Power>("70 W"));
    costs.node = read_part(reader.section("node", example));
    costs.memory_TB = read_part(reader.section("memory_TB", example));
    costs.drive = read_part(reader.section("drive", example));
    costs.kilowatt_hour = reader.required("kilowatt_hour", quantity<Money>("0.1 USD"));
    costs.years = reader.required("years", real_number("4"));
    reader.finish();
    return costs;
}

spec::CostSpec load_costs(const std::string& path)
{
    Documents documents;
    const auto root = documents.load(path, {});
    Report report;
    const auto costs = read_costs(MapReader{report, root});
    report.add(validate(costs));
    report.throw_if_failed();
    return costs;
}

spec::OffloadSpec load_offload(const std::string& path)
{
    Documents documents;
    const auto root = documents.load(path, {});
    Report report;
    const auto offload = read_offload(MapReader{report, root});
    if (offload) {
        report.add(spec::validate(*offload, "offload"));
    }
    report.throw_if_failed();
    return offload.value_or(spec::OffloadSpec{});
}

}  // namespace sim::config
