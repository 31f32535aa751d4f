#include "workloads/core/saved_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/base/text/text.hpp"
#include "workloads/core/state_cells.hpp"

namespace camber {
namespace {

namespace fs = std::filesystem;

// The first line: the format's name and number. Format 2 adds the lines `origin`.
constexpr std::string_view format_name = "camber state ";
constexpr std::string_view plain_format = "1";
constexpr std::string_view format_with_origin = "2";
constexpr std::string_view last_line = "cells";

static_assert(std::endian::native == std::endian::little, "cells are stored as they lie in memory");

std::uint64_t checksum_of(const State& state) {
    Checksum sum;
    for (const HostField& field : state.fields) sum.add(field.bytes());
    return sum.value();
}

// Field as described by a line of the head. Memory is allocated only after the file's length has
// been found sufficient.
struct FieldLine {
    std::string name;
    ElementType element{};
    Size size;

    // In double, because the product may overflow an int64; such a value exceeds every file's
    // length.
    double bytes() const { return 1.0 * size.columns * size.rows * info(element).size; }
};

std::optional<double> finite_number(std::string_view word) {
    double value = 0;
    const auto [stop, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (failure != std::errc() || stop != word.data() + word.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

template <class Integer>
bool read_whole(const std::string& word, Integer& value, int base = 10) {
    const auto [stop, failure] =
        std::from_chars(word.data(), word.data() + word.size(), value, base);
    return failure == std::errc() && stop == word.data() + word.size() && value >= 0;
}

std::optional<ElementType> element_named(std::string_view name) {
    for (const ElementType candidate :
         {ElementType::uint8, ElementType::uint32, ElementType::float32, ElementType::float64})
        if (info(candidate).name == name) return candidate;
    return std::nullopt;
}

class Reader {
  public:
    Reader(const fs::path& path, std::istream& in) : in_(in) { saved_.head.file = path.string(); }

    SavedHead head() {
        read_format(line());
        for (std::string text = line(); text != last_line; text = line()) {
            std::vector<std::string> words;
            std::istringstream stream(text);
            for (std::string word; stream >> word;) words.push_back(word);
            if (words.empty() || !read(words))
                damaged(fmt::format("its line {}, '{}', makes no sense", line_,
                                    printable(text, longest_quote)));
            const bool named =
                words[0] == "parameter" || words[0] == "account" || words[0] == "field" ||
                words[0] == "origin";
            const std::string subject = named ? words[0] + " " + words[1] : words[0];
            if (!seen_.insert(subject).second)
                damaged(fmt::format("its line {} says '{}' a second time", line_,
                                    printable(subject, longest_quote)));
        }
        for (const char* wanted : {"workload", "cell", "generations", "checksum"})
            if (!seen_.contains(wanted)) lacks(wanted);
        if (fields_.empty()) lacks("field");
        return saved_.head;
    }
    SavedState whole() {
        head();
        check_length();
        for (const FieldLine& field : fields_) {
            HostField& made =
                saved_.state.fields.emplace_back(field.name, field.element, field.size);
            in_.read(reinterpret_cast<char*>(made.bytes().data()),
                     static_cast<std::streamsize>(made.bytes().size()));
        }
        if (checksum_of(saved_.state) != checksum_) damaged("its checksum is of other cells");
        return std::move(saved_);
    }

  private:
    static constexpr std::size_t longest_quote = 60;

    [[noreturn]] void damaged(const std::string& how) const {
        throw damaged_state(saved_.head.file, how);
    }
    void read_format(const std::string& first) const {
        if (!first.starts_with(format_name)) damaged("it does not begin as one");
        const std::string_view number = std::string_view(first).substr(format_name.size());
        if (number == plain_format || number == format_with_origin) return;
        throw Error(ExitCode::usage,
                    fmt::format("the saved state {} has format '{}', and this program reads {} and "
                                "{}: delete it, and save it again with this program",
                                saved_.head.file, printable(std::string(number), longest_quote),
                                plain_format, format_with_origin));
    }
    [[noreturn]] void lacks(const std::string& wanted) const {
        damaged(fmt::format("its head, lines 1 to {}, has no line '{}'", line_, wanted));
    }
    // Reads one line of the head. The length is limited, because a file without line feeds has no
    // head.
    std::string line() {
        constexpr std::size_t longest = std::size_t{1} << 20;
        std::string text;
        ++line_;
        for (char c; in_.get(c) && c != '\n' && text.size() < longest;) text += c;
        if (!in_ || text.size() == longest)
            damaged(fmt::format("its head does not end, in line {} or before", line_));
        return text;
    }
    // Checks that the head is followed by the fields' cells and by nothing else.
    void check_length() {
        const auto start = in_.tellg();
        in_.seekg(0, std::ios::end);
        double rest = static_cast<double>(in_.tellg() - start);
        in_.seekg(start);
        for (const FieldLine& field : fields_) {
            if (rest < field.bytes())
                damaged(fmt::format("it ends within the field {}", field.name));
            rest -= field.bytes();
        }
        if (rest > 0) damaged("it goes on behind its last field");
    }
    bool read(const std::vector<std::string>& words) {
        const std::string& key = words[0];
        if (key == "field") return words.size() == 5 && read_field(words);
        if (key == "parameter") return words.size() >= 3 && read_parameter(words);
        if (key == "origin") {
            if (words.size() < 3) return false;
            saved_.head.origin[words[1]] =
                fmt::format("{}", fmt::join(words.begin() + 2, words.end(), " "));
            return true;
        }
        if (key == "account") {
            if (words.size() != 3) return false;
            const auto value = finite_number(words[2]);
            if (value) saved_.state.account[words[1]] = *value;
            return value.has_value();
        }
        if (words.size() != 2) return false;
        if (key == "workload") saved_.head.workload = words[1];
        if (key == "generations") return read_whole(words[1], saved_.head.generations);
        if (key == "checksum") return read_whole(words[1], checksum_, 16);
        if (key == "cell") {
            const auto element = element_named(words[1]);
            saved_.head.cell = element.value_or(saved_.head.cell);
            return element.has_value();
        }
        return key == "workload";
    }
    bool read_parameter(const std::vector<std::string>& words) {
        std::vector<double>& values = saved_.head.parameters[words[1]];
        for (std::size_t k = 2; k < words.size(); ++k) {
            const auto value = finite_number(words[k]);
            if (!value) return false;
            values.push_back(*value);
        }
        return true;
    }
    bool read_field(const std::vector<std::string>& words) {
        FieldLine field{words[1], {}, {}};
        const auto element = element_named(words[2]);
        if (!element || !read_whole(words[3], field.size.columns) ||
            !read_whole(words[4], field.size.rows) || field.size.columns < 1 || field.size.rows < 1)
            return false;
        field.element = *element;
        fields_.push_back(std::move(field));
        return true;
    }

    std::istream& in_;
    SavedState saved_;
    std::vector<FieldLine> fields_;
    std::set<std::string> seen_;
    std::uint64_t checksum_ = 0;
    int line_ = 0;
};

template <class Read>
auto with_reader(const fs::path& input, const Read& read)
    -> decltype(read(std::declval<Reader&>())) {
    const fs::path path = state_path(input);
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return std::nullopt;
    std::ifstream in(path, std::ios::binary);
    if (!in) read_file(path, "saved state", "what camber run --save wrote");  // throws
    Reader reader(path, in);
    return read(reader);
}

}  // namespace

Error damaged_state(const std::string& file, const std::string& how) {
    return {ExitCode::usage,
            fmt::format("the saved state {} is damaged: {}; delete it to start from what lies "
                        "beside it",
                        file, how)};
}

fs::path state_path(const fs::path& input) {
    constexpr const char* name = "camber.state";
    std::error_code ignored;
    if (fs::is_directory(input, ignored)) return input / name;
    if (input.extension() == ".cfg") return input.parent_path() / name;
    return fs::path(input.string() + ".state");
}

void write_saved_state(const fs::path& path, const SavedHead& head, const State& state) {
    NewFile file(path, "saved state");
    errno = 0;
    std::ofstream out(file.path(), std::ios::binary | std::ios::trunc);
    out << format_name << (head.origin.empty() ? plain_format : format_with_origin) << '\n'
        << "workload " << head.workload << '\n'
        << "cell " << info(head.cell).name << '\n'
        << "generations " << head.generations << '\n';
    for (const auto& [name, text] : head.origin) out << fmt::format("origin {} {}\n", name, text);
    // Writes each number as the shortest text that reads back as the same value.
    for (const auto& [name, values] : head.parameters)
        out << fmt::format("parameter {} {}\n", name, fmt::join(values, " "));
    for (const auto& [name, value] : state.account)
        out << fmt::format("account {} {}\n", name, value);
    for (const HostField& field : state.fields)
        out << fmt::format("field {} {} {} {}\n", field.name(), info(field.element()).name,
                           field.size().columns, field.size().rows);
    out << fmt::format("checksum {:016x}\n", checksum_of(state)) << last_line << '\n';
    for (const HostField& field : state.fields)
        out.write(reinterpret_cast<const char*>(field.bytes().data()),
                  static_cast<std::streamsize>(field.bytes().size()));
    out.close();
    if (!out) file.fail(errno != 0 ? errno : EIO);
    file.finish();
}

std::optional<SavedState> read_saved_state(const fs::path& input) {
    return with_reader(input,
                       [](Reader& reader) -> std::optional<SavedState> { return reader.whole(); });
}

std::optional<SavedHead> read_saved_head(const fs::path& input) {
    return with_reader(input,
                       [](Reader& reader) -> std::optional<SavedHead> { return reader.head(); });
}

namespace {

std::string file_of(const InitialConditions& conditions) {
    return state_path(*conditions.input).string();
}

// Line of the head that describes a field: "field level float32 37 29".
std::string line_of(const HostField& field, Size size) {
    return fmt::format("field {} {} {} {}", field.name(), info(field.element()).name, size.columns,
                       size.rows);
}

void check_form(const SavedState& saved, const State& example, const WorkloadFacts& facts) {
    const auto lacks = [&](const std::string& line) {
        return damaged_state(saved.head.file, fmt::format("its head has no line '{}'", line));
    };
    const Size board = saved.state.fields.front().size();
    const Size board_of_example = example.fields.front().size();
    for (const HostField& wanted : example.fields) {
        const Size size = wanted.size() == board_of_example ? board : wanted.size();
        const auto found = std::ranges::find(saved.state.fields, wanted.name(), &HostField::name);
        if (found == saved.state.fields.end() || found->element() != wanted.element() ||
            found->size() != size)
            throw lacks(line_of(wanted, size));
    }
    for (const HostField& field : saved.state.fields)
        if (!example.has(field.name()))
            throw damaged_state(saved.head.file, fmt::format("workload {} has no field '{}'",
                                                             facts.name, field.name()));
    const auto require_account = [&](const std::string& name) {
        if (!saved.state.account.contains(name)) throw lacks("account " + name);
    };
    for (const auto& [name, unused] : example.account) require_account(name);
    for (const AccountEntry& entry : facts.account) require_account(entry.name);
}

void check(const SavedState& saved, const Workload& workload, const InitialConditions& conditions) {
    const Size size = saved.state.fields.front().size();
    if (size != conditions.size)
        throw Error(
            ExitCode::usage,
            fmt::format("the saved state {} has {}x{} cells, the board {}x{}", file_of(conditions),
                        size.columns, size.rows, conditions.size.columns, conditions.size.rows),
            Remedy::board_of_input);
    const ElementType cell = saved.head.cell;
    if (cell != conditions.cell && cell != workload.reference_type(conditions.cell))
        throw Error(
            ExitCode::usage,
            fmt::format("the saved state {} is of {} cells, the run of {}: choose --cell {}",
                        file_of(conditions), info(cell).name, info(conditions.cell).name,
                        info(cell).name));
}

}  // namespace

std::optional<SavedHead> saved_head(const Workload& workload, const InitialConditions& conditions) {
    if (!conditions.input || workload.changes_input(conditions)) return std::nullopt;
    std::optional<SavedHead> head = read_saved_head(*conditions.input);
    if (head && head->workload != workload.name()) head.reset();
    return head;
}

std::optional<State> saved_state(const Workload& workload, const InitialConditions& conditions,
                                 const ExampleState& example, bool exact) {
    if (!saved_head(workload, conditions)) return std::nullopt;
    SavedState saved = *read_saved_state(*conditions.input);
    check(saved, workload, conditions);
    check_form(saved, example(saved.head.cell), workload.facts());
    if (exact || saved.head.cell == conditions.cell) return std::move(saved.state);
    return converted(saved.state, saved.head.cell, conditions.cell);
}

void take_parameters(const SavedHead& head, ParameterSet& parameters,
                     const CheckParameters& check) {
    for (const auto& [name, values] : head.parameters) {
        const auto own = parameters.all().find(name);
        if (own == parameters.all().end())
            throw damaged_state(head.file, fmt::format("the workload has no 'parameter {}'", name));
        if (own->second.size() != values.size())
            throw damaged_state(head.file,
                                fmt::format("its 'parameter {}' has {} values and not {}", name,
                                            values.size(), own->second.size()));
        parameters.set(name, values);
    }
    for (const auto& [name, unused] : parameters.all())
        if (!head.parameters.contains(name))
            throw damaged_state(head.file,
                                fmt::format("its head has no line 'parameter {}'", name));
    try {
        check(parameters);
    } catch (const Error& error) {
        throw damaged_state(head.file, error.what());
    }
}

void save_state(const Workload& workload, const State& state, const std::filesystem::path& path,
                const Run& run, const ParameterSet& parameters) {
    const std::optional<SavedHead> before = saved_head(workload, run.initial);
    write_saved_state(state_path(path),
                      {std::string(workload.name()),
                       run.exact ? workload.reference_type(run.initial.cell) : run.initial.cell,
                       (before ? before->generations : 0) + run.generations, parameters.all()},
                      run.exact ? *run.exact : state);
}

}  // namespace camber
