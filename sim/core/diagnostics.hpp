#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace sim
{

/// One thing the user should write differently.
/// `key` is the dotted path ("cluster.nic.bandwidth"); file, line and column are 1-based and filled
/// by whoever knows them (config), `line` 0 meaning unknown.
struct Diagnostic {
    enum class Severity { error, warning };

    // The braces let a designated initialiser name only what it has.
    std::string key{};
    std::string message{};  ///< what is wrong and why
    std::string hint{};     ///< what to write instead; may be empty
    std::string file{};
    int line = 0;
    int column = 0;
    std::string source_line{};  ///< the text of that line, for the caret; may be empty
    Severity severity = Severity::error;
};

using Diagnostics = std::vector<Diagnostic>;

[[nodiscard]] bool has_errors(const Diagnostics& diagnostics);

/// `file:line:col: error: key: message`, the source line with a caret, and `= hint`, for each.
[[nodiscard]] std::string render(const Diagnostics& diagnostics);

/// The input is wrong. Carries every diagnostic found; main renders them and exits with 2.
class InputError : public std::runtime_error
{
public:
    explicit InputError(Diagnostics diagnostics);
    [[nodiscard]] const Diagnostics& diagnostics() const { return diagnostics_; }

private:
    Diagnostics diagnostics_;
};

/// Throws the InputError of one mistake whose place is a key or an option, not a line.
[[noreturn]] void refuse(std::string key, std::string message, std::string hint);

/// The closest of `candidates` to `word` when it looks like a misspelling of it, else empty.
[[nodiscard]] std::string closest(const std::string& word,
                                  const std::vector<std::string>& candidates);

}  // namespace sim
