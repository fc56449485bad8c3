#pragma once

#include <string>
#include <vector>

#include "config/documents.hpp"
#include "config/map_reader.hpp"
#include "config/report.hpp"
#include "spec/experiment.hpp"

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
                                                const std::vector<Override>& overrides);

/// The key `format`, which every experiment and sweep starts with.
void read_format(MapReader& reader);

}  // namespace sim::config
