#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "config/documents.hpp"
#include "config/map_reader.hpp"
#include "config/report.hpp"
#include "spec/experiment.hpp"
#include "spec/sweep.hpp"

namespace sim::config
{

/// An experiment with all that was learnt while reading it.
struct ExperimentReading {
    spec::ExperimentSpec spec;
    Documents documents;
    Report report;
};

/// Reads and validates. Throws InputError.
[[nodiscard]] ExperimentReading read_experiment(const std::string& path,
                                                const std::vector<Override>& overrides,
                                                Documents documents = {});

/// The keys of an experiment, not validated; `name` is its default.
[[nodiscard]] spec::ExperimentSpec read_experiment(MapReader reader, const std::string& name,
                                                   Documents& documents);

/// What the keys `axes`, `derive` and the like may set, by the base experiments.
using Offer = std::function<std::set<std::string>(const std::vector<spec::Base>& bases)>;

/// The keys of a sweep; `name` is its default.
[[nodiscard]] spec::SweepSpec read_sweep(MapReader reader, const std::string& name,
                                         const Offer& offer);

/// The key `format`, which every experiment and sweep starts with.
void read_format(MapReader& reader);

}  // namespace sim::config
