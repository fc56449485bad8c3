#include "formats/file_complaint.hpp"

#include <utility>

namespace sim::formats
{

Diagnostic about(const std::string& file, std::string message, std::string hint)
{
    Diagnostic diagnostic;
    diagnostic.file = file;
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    return diagnostic;
}

}  // namespace sim::formats
