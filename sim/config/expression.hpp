#pragma once

#include <memory>
#include <string>
#include <vector>

namespace sim::config
{

/// Arithmetic over the axes of a sweep: + - * / ^, comparisons, && ||, ?:, min, max, sqrt, log2,
/// floor, ceil, ... (muParser's, sim/config/README.md). Numbers only.
class Expression
{
public:
    /// Throws InputError (key and place are the caller's) when the text is no expression of names,
    /// which messages call `noun`.
    Expression(const std::string& text, const std::vector<std::string>& names,
               const std::string& noun = "axis");
    Expression(Expression&&) noexcept;
    Expression& operator=(Expression&&) noexcept;
    ~Expression();

    /// `values[i]` is what `names[i]` stands for; NaN where it is a word. Throws InputError when
    /// the expression uses a word as a number, or it or a part of it has no finite value: a
    /// comparison with a root of -1 or a division by 0 would be an answer to nothing.
    [[nodiscard]] double value(const std::vector<double>& values) const;

    [[nodiscard]] bool is_constant() const;

private:
    struct Parser;
    std::unique_ptr<Parser> parser_;
};

/// The number a value of an axis stands for in expressions: plain numbers as they are, quantities
/// in B, B/s and s. NaN for a word.
[[nodiscard]] double number_of(const std::string& text);

/// What is wrong with the text, or empty. Names may be written in full ("cluster.nodes") or by
/// their last part when only one ends so.
[[nodiscard]] std::string expression_mistake(const std::string& text,
                                             const std::vector<std::string>& names);

/// The same of a condition, which names something.
[[nodiscard]] std::string condition_mistake(const std::string& text,
                                            const std::vector<std::string>& names,
                                            const std::string& noun);

}  // namespace sim::config
