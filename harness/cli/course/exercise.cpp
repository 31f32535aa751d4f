#include "harness/cli/course/exercise.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <regex>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/cli/course/quantities.hpp"
#include "harness/own/source/code_text.hpp"
#include "harness/record/archive.hpp"

namespace camber::course {

namespace {

namespace fs = std::filesystem;
using results::Json;

constexpr int hidden_trials = 2;
constexpr std::int64_t most_cells = 1 << 18;  // a larger board takes minutes on the executor

using Files = std::map<std::string, std::string, std::less<>>;  // by name

// Reads the settings of an exercise. Errors name the file and the key.
class SettingsReader {
  public:
    SettingsReader(const std::string& file, const std::string& text) : file_(file) {
        try {
            json_ = results::parse_json(text);
        } catch (const results::SyntaxError& error) {
            reject(error.what());
        }
        if (!json_.is_object()) reject("is no JSON object");
    }

    std::string text(const char* key) const {
        const Json& value = at(json_, key);
        if (!value.is_string()) reject(fmt::format("\"{}\" must be a string", key));
        return value.get<std::string>();
    }
    std::string text_or_nothing(const char* key) const {
        return json_.contains(key) ? text(key) : "";
    }
    Size size(const Json& object, const char* key) const {
        const Json& value = at(object, key);
        Size size;
        std::int64_t columns = 0;
        std::int64_t rows = 0;
        const std::string text = value.is_string() ? value.get<std::string>() : "";
        const std::size_t x = text.find('x');
        try {
            columns = std::stoll(text);
            rows = std::stoll(x == text.npos ? "" : text.substr(x + 1));
        } catch (const std::exception&) {
            columns = 0;
        }
        if (columns < 1 || rows < 1 || columns > most_cells || rows > most_cells ||
            columns * rows > most_cells)
            reject(
                fmt::format("\"{}\" must be COLUMNSxROWS with at most {} cells, such as "
                            "\"256x128\"",
                            key, most_cells));
        size.columns = static_cast<int>(columns);
        size.rows = static_cast<int>(rows);
        return size;
    }
    double number(const Json& object, const char* key, double least, double most) const {
        const Json& value = at(object, key);
        if (!value.is_number() || value.get<double>() < least || value.get<double>() > most)
            reject(fmt::format("\"{}\" must be a number from {} to {}", key, least, most));
        return value.get<double>();
    }
    HiddenSizes hidden() const {
        const Json& object = at(json_, "hidden");
        if (!object.is_object()) reject("\"hidden\" must be an object");
        HiddenSizes hidden;
        hidden.smallest = size(object, "smallest");
        hidden.largest = size(object, "largest");
        if (hidden.largest.columns < hidden.smallest.columns ||
            hidden.largest.rows < hidden.smallest.rows)
            reject("\"largest\" is smaller than \"smallest\"");
        if (object.contains("multiple"))
            hidden.multiple = static_cast<int>(number(object, "multiple", 1, 64));
        hidden.square = object.contains("square") && at(object, "square") == Json(true);
        return hidden;
    }
    std::vector<Goal> goals() const {
        const Json& list = at(json_, "goals");
        if (!list.is_array() || list.empty()) reject("\"goals\" must be a list of goals");
        std::vector<Goal> goals;
        for (const Json& one : list) {
            if (!one.is_object()) reject("a goal must be an object");
            const Json& quantity = at(one, "quantity");
            const std::string name = quantity.is_string() ? quantity.get<std::string>() : "";
            if (!find_quantity(name))
                reject(fmt::format("the quantity \"{}\" of a goal is unknown: choose {}", name,
                                   fmt::join(quantity_names(), " or ")));
            const bool guard = one.contains("guard") && at(one, "guard") == Json(true);
            goals.push_back({name, number(one, "most", 0, 1e12), guard});
        }
        return goals;
    }
    const Json& all() const { return json_; }

  private:
    [[noreturn]] void reject(const std::string& why) const {
        throw Error(ExitCode::usage, fmt::format("{}: {}", file_, why));
    }
    const Json& at(const Json& object, const char* key) const {
        const auto found = object.find(key);
        if (found == object.end()) reject(fmt::format("\"{}\" is missing: add it", key));
        return *found;
    }

    std::string file_;
    Json json_;
};

// `folder`: name of the exercise's folder, "01-coalescing".
Exercise exercise_from(const std::string& folder, const Files& files) {
    const auto text_of = [&](const char* name) -> const std::string& {
        const auto found = files.find(name);
        if (found == files.end())
            throw Error(ExitCode::usage, fmt::format("exercise {} has no file {}: add it (an "
                                                     "exercise has exercise.json, text.html, "
                                                     "start.cu and reference.cu)",
                                                     folder, name));
        return found->second;
    };
    const SettingsReader settings(folder + "/exercise.json", text_of("exercise.json"));
    Exercise exercise;
    const std::size_t dash = std::min(folder.find('-'), folder.size());
    exercise.number = std::atoi(folder.substr(0, dash).c_str());
    exercise.name = dash == folder.size() ? "" : folder.substr(dash + 1);
    exercise.title = settings.text("title");
    exercise.summary = settings.text("summary");
    exercise.board = settings.size(settings.all(), "board");
    exercise.hidden = settings.hidden();
    exercise.generations = static_cast<int>(settings.number(settings.all(), "generations", 1, 64));
    exercise.tolerance = settings.number(settings.all(), "tolerance", 0, 1);
    exercise.goals = settings.goals();
    exercise.picture = settings.text_or_nothing("picture");
    exercise.text = text_of("text.html");
    exercise.start = text_of("start.cu");
    exercise.reference = text_of("reference.cu");
    if (exercise_of(exercise.start) != std::to_string(exercise.number))
        throw Error(ExitCode::usage,
                    fmt::format("{}/start.cu has no line `// camber: exercise {}`: add it", folder,
                                exercise.number));
    return exercise;
}

bool is_exercise_folder(const std::string& name) {
    static const std::regex form("[0-9]{1,4}-[a-z0-9-]+");
    return std::regex_match(name, form);
}

std::map<std::string, Files> files_in(const fs::path& folder) {
    std::map<std::string, Files> found;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (!entry->is_directory() || !is_exercise_folder(name)) continue;
        Files& files = found[name];
        for (const char* const file : {"exercise.json", "text.html", "start.cu", "reference.cu"})
            if (fs::exists(entry->path() / file))
                files[file] = read_file(entry->path() / file, "exercise's file", "a text");
    }
    if (error)
        throw Error(ExitCode::usage, fmt::format("cannot read the folder \"{}\": {}; give "
                                                 "--exercises a folder of exercises",
                                                 folder.string(), error.message()));
    if (found.empty())
        throw Error(ExitCode::usage,
                    fmt::format("\"{}\" has no exercises: it needs folders such as 11-tiles",
                                folder.string()));
    return found;
}

std::map<std::string, Files> files_of_program() {
    std::map<std::string, Files> found;
    for (const ExerciseFile& file : exercise_files())
        found[std::string(file.folder)][std::string(file.name)] = file.text;
    return found;
}

// splitmix64
std::uint64_t next_random(std::uint64_t& state) {
    std::uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

}  // namespace

std::vector<Exercise> exercises(const fs::path& folder) {
    std::vector<Exercise> all;
    for (const auto& [name, files] : folder.empty() ? files_of_program() : files_in(folder))
        all.push_back(exercise_from(name, files));
    std::ranges::sort(all, {}, &Exercise::number);
    for (std::size_t i = 1; i < all.size(); ++i)
        if (all[i].number == all[i - 1].number)
            throw Error(ExitCode::usage,
                        fmt::format("exercises {} and {} have the number {}: rename one",
                                    all[i - 1].name, all[i].name, all[i].number));
    return all;
}

const Exercise& exercise_named(const std::vector<Exercise>& all, const std::string& name) {
    std::vector<std::string> known;
    for (const Exercise& exercise : all) {
        if (name == std::to_string(exercise.number) || name == exercise.name) return exercise;
        known.push_back(fmt::format("{} ({})", exercise.number, exercise.name));
    }
    throw Error(ExitCode::usage,
                fmt::format("there is no exercise '{}': choose {}", name, fmt::join(known, ", ")));
}

std::optional<std::string> exercise_of(std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = trimmed_text(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!line.starts_with("//")) continue;
        line = trimmed_text(line.substr(2));
        if (!line.starts_with("camber:")) continue;
        line = trimmed_text(line.substr(7));
        if (!line.starts_with("exercise ")) continue;
        return std::string(trimmed_text(line.substr(9)));
    }
    return std::nullopt;
}

std::vector<Trial> trials(const Exercise& exercise, std::uint64_t seed) {
    std::vector<Trial> all{{exercise.board, seed}};
    std::uint64_t state = seed;
    const HiddenSizes& hidden = exercise.hidden;
    const auto between = [&](int low, int high) {
        return low + static_cast<int>(next_random(state) % static_cast<unsigned>(high - low + 1));
    };
    for (int i = 1; i <= hidden_trials; ++i) {
        Size size;
        size.columns = between(hidden.smallest.columns, hidden.largest.columns);
        size.columns = std::max(size.columns / hidden.multiple, 1) * hidden.multiple;
        size.rows = between(hidden.smallest.rows, hidden.largest.rows);
        if (hidden.square) size.rows = size.columns;
        all.push_back({size, seed + static_cast<unsigned>(i)});
    }
    return all;
}

}  // namespace camber::course
