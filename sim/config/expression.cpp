#include "config/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <cctype>
#include <cfenv>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "core/diagnostics.hpp"
#include "core/quantity_text.hpp"
#include "spec/sweep.hpp"

namespace sim::config
{

struct Expression::Parser {
    std::string text;
    mu::Parser parser;
    std::vector<double> slots;
    std::vector<std::string> names;
    std::vector<std::size_t> used;
};

namespace
{

constexpr std::size_t kMostCharacters = 1000;
constexpr const char* kNameCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";

/// Every spelling of every name: in full, and short where that is clear.
std::map<std::string, std::size_t> spellings(const std::vector<std::string>& names)
{
    std::map<std::string, std::size_t> known;
    std::map<std::string, int> endings;
    for (const auto& name : names) {
        ++endings[spec::last_part(name)];
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (endings[spec::last_part(names[i])] == 1) {
            known.emplace(spec::last_part(names[i]), i);
        }
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        known[names[i]] = i;
    }
    return known;
}

bool is_name(const std::string& text)
{
    const bool letters = text.find_first_not_of(kNameCharacters) == std::string::npos;
    return letters && !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) != 0);
}

[[noreturn]] void wrong(const std::string& what) { refuse("", what, ""); }

}  // namespace

Expression::Expression(const std::string& text, const std::vector<std::string>& names,
                       const std::string& noun)
    : parser_{std::make_unique<Parser>()}
{
    if (text.size() > kMostCharacters) {
        wrong(fmt::format("an expression has at most {} characters", kMostCharacters));
    }
    auto& self = *parser_;
    self.text = text;
    self.names = names;
    self.slots.assign(names.size(), 0);
    try {
        self.parser.DefineNameChars(kNameCharacters);
        self.parser.EnableOptimizer(false);  // which divides by 0 before anybody can notice
        const auto known = spellings(names);
        for (const auto& [name, i] : known) {
            if (is_name(name)) {
                self.parser.DefineVar(name, &self.slots[i]);
            }
        }
        self.parser.SetExpr(text);
        std::set<std::size_t> used;
        for (const auto& [name, slot] : self.parser.GetUsedVar()) {
            const auto found = known.find(name);
            if (found == known.end() && std::isdigit(static_cast<unsigned char>(name[0])) != 0) {
                wrong(fmt::format("\"{}\" is no number, or one too large", name));
            }
            if (found == known.end()) {
                std::vector<std::string> all;
                for (const auto& entry : known) {
                    all.push_back(entry.first);
                }
                const auto near = closest(name, all);
                wrong(fmt::format("\"{}\" is no {}{}", name, noun,
                                  near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
            }
            used.insert(found->second);
        }
        self.used.assign(used.begin(), used.end());
        static_cast<void>(self.parser.Eval());
    } catch (const mu::ParserError& error) {
        wrong(fmt::format("\"{}\" is no expression: {}", text, error.GetMsg()));
    }
}

Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

double Expression::value(const std::vector<double>& values) const
{
    auto& self = *parser_;
    for (const auto i : self.used) {
        if (std::isnan(values[i])) {
            wrong(fmt::format("\"{}\" uses axis \"{}\" as a number, and here it is a word",
                              self.text, self.names[i]));
        }
        self.slots[i] = values[i];
    }
    double found = 0;
    std::feclearexcept(FE_ALL_EXCEPT);
    try {
        found = self.parser.Eval();
    } catch (const mu::ParserError& error) {
        wrong(fmt::format("\"{}\" has no value: {}", self.text, error.GetMsg()));
    }
    const bool all_finite = std::fetestexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW) == 0;
    if (!std::isfinite(found) || !all_finite) {
        std::string where;
        for (const auto i : self.used) {
            where += fmt::format("{}{} = {}", where.empty() ? " where " : ", ", self.names[i],
                                 values[i]);
        }
        wrong(fmt::format("\"{}\" {} not a finite number{}", self.text,
                          std::isfinite(found) ? "has a part that is" : "is", where));
    }
    return found;
}

bool Expression::is_constant() const { return parser_->used.empty(); }

double number_of(const std::string& text)
{
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc{} && stop == end) {
        return number;
    }
    if (const auto rate = parse<Bandwidth>(text)) {
        return rate.value->base();
    }
    if (const auto size = parse<Bytes>(text)) {
        return static_cast<double>(size.value->base());
    }
    if (const auto time = parse<Time>(text)) {
        return time.value->base();
    }
    return std::nan("");
}

std::string expression_mistake(const std::string& text, const std::vector<std::string>& names)
{
    try {
        static_cast<void>(Expression{text, names});
    } catch (const InputError& error) {
        return error.diagnostics().front().message;
    }
    return {};
}

std::string condition_mistake(const std::string& text, const std::vector<std::string>& names,
                              const std::string& noun)
{
    try {
        if (Expression{text, names, noun}.is_constant()) {
            return fmt::format("\"{}\" names no {}, so that it always says the same", text, noun);
        }
    } catch (const InputError& error) {
        return error.diagnostics().front().message;
    }
    return {};
}

}  // namespace sim::config
