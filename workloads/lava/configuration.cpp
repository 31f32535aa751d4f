#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <span>

#include "workloads/core/token_source.hpp"
#include "workloads/lava/event.hpp"

namespace camber::lava {
namespace {

using grid_file::finite_number;
using grid_file::shown;
using grid_file::Token;
using grid_file::TokenSource;

// A key of a configuration and the parameter that it gives; "" for those that camber has no
// parameter for.
struct Key {
    std::string_view key;
    std::string_view parameter;
    bool required = true;
};

constexpr std::string_view algorithm_key = "algorithm";
constexpr std::string_view algorithm = "MIN";  // minimization of differences

constexpr std::array<Key, 17> numbered_keys{{{"maximum_steps_(0_for_loop)", ""},
                                             {"stopping_threshold_(height)", ""},
                                             {"refreshing_step", ""},
                                             {"thickness_visual_threshold", ""},
                                             {"Pclock", "clock"},
                                             {"PTsol", "t_sol"},
                                             {"PTvent", "t_vent"},
                                             {"Pr(Tsol)", "r_sol"},
                                             {"Pr(Tvent)", "r_vent"},
                                             {"Phc(Tsol)", "hc_sol"},
                                             {"Phc(Tvent)", "hc_vent"},
                                             {"Pcool", "cooling"},
                                             {"Prho", "density"},
                                             {"Pepsilon", "emissivity"},
                                             {"Psigma", "stefan_boltzmann"},
                                             {"Pcv", "heat_capacity"},
                                             {algorithm_key, ""}}};

constexpr std::array<Key, 16> plain_keys{{{"nsteps", "", false},
                                          {"ncols", ""},
                                          {"nrows", ""},
                                          {"Pclock", "clock"},
                                          {"Pc", "cell_side"},
                                          {"PTsol", "t_sol"},
                                          {"PTvent", "t_vent"},
                                          {"Pr_Tsol", "r_sol"},
                                          {"Pr_Tvent", "r_vent"},
                                          {"Phc_Tsol", "hc_sol"},
                                          {"Phc_Tvent", "hc_vent"},
                                          {"Pcool", "cooling"},
                                          {"Prho", "density"},
                                          {"Pepsilon", "emissivity"},
                                          {"Psigma", "stefan_boltzmann"},
                                          {"Pcv", "heat_capacity"}}};

std::span<const Key> keys_of(Form form) {
    if (form == Form::numbered) return numbered_keys;
    return plain_keys;
}

int count_of(const TokenSource& source, const Token& token, std::string_view key) {
    const auto value = finite_number(token.text);
    constexpr int most = 1 << 25;
    if (!value || *value < 1 || *value > most || *value != std::floor(*value))
        source.reject(token.place, fmt::format("{} needs a whole number from 1 to {}, not {}", key,
                                               most, shown(token)));
    return static_cast<int>(*value);
}

}  // namespace

std::vector<std::string> configured_parameters(Form form) {
    std::vector<std::string> names;
    for (const Key& key : keys_of(form))
        if (!key.parameter.empty()) names.emplace_back(key.parameter);
    return names;
}

Configuration read_configuration(std::string_view text, const std::string& name, Form form) {
    const std::span<const Key> keys = keys_of(form);
    std::vector<std::string_view> names;
    for (const Key& key : keys) names.push_back(key.key);
    std::vector<bool> given(keys.size());
    Configuration configuration;
    Size size;
    TokenSource source(text, name);
    Token token = source.next();
    for (; !token.text.empty(); token = source.next()) {
        const auto key = std::ranges::find(names, token.text);
        if (key == names.end())
            source.reject(token.place, fmt::format("{} is no key of a configuration: only {} are",
                                                   shown(token), fmt::join(names, ", ")));
        const auto index = static_cast<std::size_t>(key - names.begin());
        if (given[index])
            source.reject(token.place, fmt::format("{} is given twice: remove one", *key));
        given[index] = true;
        const Token word = source.next();
        if (*key == algorithm_key) {
            if (word.text != algorithm)
                source.reject(word.place, fmt::format("the algorithm {} is not implemented: write "
                                                      "{}, the minimisation of differences",
                                                      shown(word), algorithm));
            continue;
        }
        if (*key == "ncols") size.columns = count_of(source, word, *key);
        if (*key == "nrows") size.rows = count_of(source, word, *key);
        const auto value = finite_number(word.text);
        if (!value)
            source.reject(word.place,
                          fmt::format("{} needs a finite number, not {}", *key, shown(word)));
        if (!keys[index].parameter.empty())
            configuration.parameters.emplace(keys[index].parameter, *value);
    }
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (keys[i].required && !given[i])
            source.reject(
                token.place,
                fmt::format("the configuration ends without {}: add a line \"{} {}\"", keys[i].key,
                            keys[i].key, keys[i].key == algorithm_key ? algorithm : "NUMBER"));
    if (size.columns > 0) configuration.size = size;
    return configuration;
}

void write_configuration(std::ostream& out, const std::map<std::string, double>& parameters) {
    for (const Key& key : numbered_keys) {
        if (key.key == algorithm_key)
            out << fmt::format("{}\t{}\n", key.key, algorithm);
        else
            out << fmt::format(
                "{}\t{}\n", key.key,
                key.parameter.empty() ? 0 : parameters.at(std::string(key.parameter)));
    }
}

}  // namespace camber::lava
