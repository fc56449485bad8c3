#include "cli/sweep_options.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <CLI/CLI.hpp>
#include <charconv>

#include "core/diagnostics.hpp"
#include "core/quantity_text.hpp"

namespace sim::cli
{
namespace
{

template <class Q>
Q quantity_of(const std::string& option, const std::string& text)
{
    const auto parsed = parse<Q>(text);
    if (!parsed) {
        refuse(option, parsed.message, parsed.hint);
    }
    if (parsed.value->base() <= 0) {
        refuse(option, "must be above 0", "");
    }
    return *parsed.value;
}

/// Cores this process may use; a job scheduler gives fewer than the machine has.
int cores()
{
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
}

}  // namespace

void add_sweep_options(CLI::App& command, SweepOptions& options)
{
    constexpr int kMostWorkers = 1024;
    command
        .add_option("-j,--workers", options.workers,
                    "Processes that simulate at the same time (default: one a core, under mpirun "
                    "one a rank)")
        ->check(CLI::Range(1, kMostWorkers))
        ->type_name("NUMBER");
    command
        .add_option("--timeout", options.timeout, "Give a point up after so long, e.g. \"60 s\"")
        ->type_name("TIME");
    command
        .add_option("--memory", options.memory, "Give a point up that needs more, e.g. \"4 GiB\"")
        ->type_name("SIZE");
    auto* resume = command.add_flag(
        "--resume", options.resume,
        "Go on where an earlier run of the same sweep stopped; done without asking when there is "
        "one");
    command
        .add_flag("--fresh", options.fresh, "Throw away what an earlier run of the sweep has kept")
        ->excludes(resume);
    command.add_flag("--collect", options.collect,
                     "Simulate nothing: make the file of the points there are");
    command.add_flag("--dry-run", options.dry_run,
                     "Print the points and about how long they take, and stop");
    command
        .add_option("--part", options.part,
                    "Simulate the 3rd of 8 parts with 3/8; whoever ends last makes the file")
        ->type_name("K/N");
}

sweep::Limits limits(const SweepOptions& options)
{
    sweep::Limits limits;
    if (!options.timeout.empty()) {
        limits.time =
            std::chrono::duration<double>{quantity_of<Time>("--timeout", options.timeout).base()};
    }
    if (!options.memory.empty()) {
        limits.memory = quantity_of<Bytes>("--memory", options.memory).base();
    }
    return limits;
}

sweep::Part part(const SweepOptions& options)
{
    if (options.part.empty()) {
        return {};
    }
    const auto& text = options.part;
    const char* end = text.data() + text.size();
    std::size_t which = 0;
    std::size_t of = 0;
    const auto first = std::from_chars(text.data(), end, which);
    const bool slash = first.ec == std::errc{} && first.ptr != end && *first.ptr == '/';
    const auto second = slash ? std::from_chars(first.ptr + 1, end, of) : first;
    if (!slash || second.ec != std::errc{} || second.ptr != end || which < 1 || which > of) {
        refuse("--part", fmt::format("\"{}\" is no part", text), "write --part 3/8");
    }
    return {which - 1, of};
}

int workers(const SweepOptions& options) { return options.workers > 0 ? options.workers : cores(); }

}  // namespace sim::cli
