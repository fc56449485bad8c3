#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"
#include "core/quantity_text.hpp"
#include "results/compare.hpp"
#include "results/file.hpp"

namespace sim::cli
{
namespace
{

struct CompareOptions {
    std::vector<std::string> files;
    std::string format = "table";
};

std::string value(double number, const std::string& units)
{
    if (std::isnan(number)) {
        return "-";
    }
    if (units == "s") {
        return seconds(number);
    }
    return units == "B" ? to_text(Bytes::of(static_cast<std::int64_t>(number)))
                        : fmt::format("{:.4g}", number);
}

std::string change(double share)
{
    return std::isnan(share) ? "-" : fmt::format("{:+.1f} %", 100 * share);
}

Table empty_table(const std::string& first, std::size_t files)
{
    Table table;
    table.column(first, Table::Align::left);
    for (std::size_t file = 0; file < files; ++file) {
        table.column(fmt::format("[{}]", file + 1));
        if (file > 0) {
            table.column("change");
        }
    }
    return table;
}

void add(Table& table, const std::string& first, const results::Compared& row)
{
    std::vector<std::string> cells{first, value(row.values[0], row.units)};
    for (std::size_t file = 1; file < row.values.size(); ++file) {
        cells.push_back(value(row.values[file], row.units));
        cells.push_back(change(row.change(file)));
    }
    table.row(std::move(cells));
}

/// Runs are one table; of sweeps every number has one, with a row a point. What is the same in all
/// files is counted only.
std::string differences(const std::vector<results::Compared>& rows, std::size_t files)
{
    std::string text;
    std::size_t same = 0;
    for (std::size_t r = 0; r < rows.size();) {
        const bool points = !rows[r].point().empty();
        const auto number = rows[r].number();
        auto table = empty_table(points ? number : "number", files);
        std::size_t different = 0;
        for (; r < rows.size() && rows[r].point().empty() != points; ++r) {
            if (points && rows[r].number() != number) {
                break;
            }
            if (rows[r].is_same()) {
                ++same;
                continue;
            }
            add(table, points ? rows[r].point() : rows[r].name, rows[r]);
            ++different;
        }
        if (different > 0) {
            text += table.text() + "\n";
        }
    }
    return text + fmt::format("{} {} the same{}\n", same, same == 1 ? "number is" : "numbers are",
                              files > 2 ? " in all files" : "");
}

std::string as_table(const std::vector<results::Compared>& rows, const CompareOptions& options)
{
    std::string files;
    for (std::size_t file = 0; file < options.files.size(); ++file) {
        files += fmt::format("[{}] {}\n", file + 1, options.files[file]);
    }
    const auto words = results::what_moved(rows);
    return files + "\n" + (words.empty() ? "" : wrapped(words) + "\n") +
           differences(rows, options.files.size());
}

std::string as_csv(const std::vector<results::Compared>& rows, const CompareOptions& options)
{
    std::string text = "number,unit";
    for (std::size_t file = 0; file < options.files.size(); ++file) {
        text += fmt::format(",file{}", file + 1);
    }
    text += '\n';
    for (const auto& row : rows) {
        text += fmt::format("\"{}\",{}", row.name, row.units);
        for (const double number : row.values) {
            text += std::isnan(number) ? "," : fmt::format(",{}", number);
        }
        text += '\n';
    }
    return text;
}

std::string as_json(const std::vector<results::Compared>& rows, const CompareOptions& options)
{
    nlohmann::ordered_json root;
    root["files"] = options.files;
    root["numbers"] = nlohmann::ordered_json::array();
    for (const auto& row : rows) {
        nlohmann::ordered_json one;
        one["name"] = row.name;
        one["units"] = row.units;
        one["values"] = row.values;
        root["numbers"].push_back(one);
    }
    return root.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

int do_compare(const CompareOptions& options)
{
    std::vector<results::Document> documents;
    for (const auto& file : options.files) {
        documents.push_back(results::read_hdf5(file));
    }
    const auto rows = results::compare(documents);
    print(options.format == "csv"    ? as_csv(rows, options)
          : options.format == "json" ? as_json(rows, options)
                                     : as_table(rows, options));
    return kDone;
}

}  // namespace

Action add_compare(CLI::App& program)
{
    auto options = std::make_shared<CompareOptions>();
    auto* command =
        program.add_subcommand("compare", "Set the numbers of result files side by side");
    command->add_option("files", options->files, "Of run, explain or sweep, HDF5")
        ->required()
        ->expected(2, 8)
        ->type_name("FILE.h5");
    command->add_option("--format", options->format, "Of the answer on stdout: table, csv or json")
        ->check(CLI::IsMember({"table", "csv", "json"}))
        ->type_name("FORMAT")
        ->capture_default_str();
    command->footer(
        "Example:\n"
        "  weftsim run configs/llama3-70b-128-h100.yaml -o 400.h5\n"
        "  weftsim run configs/llama3-70b-128-h100.yaml --set 'cluster.nic.bandwidth=800 Gbps' "
        "-o 800.h5\n"
        "  weftsim compare 400.h5 800.h5\n"
        "Changes are against the first file. Points of sweeps are aligned by their labels.");
    return [options] { return do_compare(*options); };
}

}  // namespace sim::cli
