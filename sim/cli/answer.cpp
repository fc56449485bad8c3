#include "cli/answer.hpp"

#include "cli/output.hpp"
#include "cli/tables.hpp"
#include "core/log.hpp"
#include "results/file.hpp"
#include "results/schema.hpp"

namespace sim::cli
{

namespace
{

void write_file(const results::Document& document, const std::string& output)
{
    if (!output.empty()) {
        results::write_hdf5(document, output);
        Log{"cli"}.info("wrote " + output);
    }
}

}  // namespace

void write_file(const results::ResultSet& set, const std::string& output)
{
    if (!output.empty()) {
        write_file(results::describe(set), output);
    }
}

void answer(const results::ResultSet& set, const CommonOptions& options, const std::string& output)
{
    const bool is_run = set.kind == results::Kind::run;
    const auto document = results::describe(set);
    write_file(document, output);
    if (options.format == "json") {
        print(results::to_json(document));
    } else if (options.format == "csv") {
        print(is_run ? results::to_long_csv(document)
                     : results::to_wide_csv(document, results::axis_names(set)));
    } else {
        print(is_run ? run_table(set) : sweep_table(set));
    }
}

results::Provenance provenance(const CommonOptions& options, std::uint64_t seed,
                               const std::string& input_text)
{
    return {options.engine, engine::engine_options(engine_kind(options)), seed, input_text};
}

}  // namespace sim::cli
