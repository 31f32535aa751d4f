#include "workloads/saved_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/base/read_file.hpp"
#include "workloads/checksum.hpp"

namespace camber {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view first_line = "camber state 1";
constexpr std::string_view last_line = "cells";

static_assert(std::endian::native == std::endian::little, "cells are stored as they lie in memory");

std::uint64_t checksum_of(const State& state) {
    Checksum sum;
    for (const HostField& field : state.fields) sum.add(field.bytes());
    return sum.value();
}

class Reader {
  public:
    Reader(fs::path path, std::istream& in) : path_(std::move(path)), in_(in) {}

    // Fields are made and still empty.
    SavedState head() {
        SavedState saved;
        if (line() != first_line) damaged("it does not begin as one");
        for (std::string text = line(); text != last_line; text = line()) {
            std::istringstream words(text);
            std::string key;
            words >> key;
            if (!read(key, words, saved))
                damaged(fmt::format("its line '{}' makes no sense", text));
        }
        if (saved.head.workload.empty() || saved.state.fields.empty())
            damaged("its head is not complete");
        return saved;
    }
    void cells(State& state) {
        for (HostField& field : state.fields)
            if (!in_.read(reinterpret_cast<char*>(field.bytes().data()),
                          static_cast<std::streamsize>(field.bytes().size())))
                damaged(fmt::format("it ends within the field {}", field.name()));
        if (in_.peek() != std::istream::traits_type::eof())
            damaged("it goes on behind its last field");
        if (checksum_of(state) != checksum_) damaged("its checksum is of other cells");
    }

  private:
    [[noreturn]] void damaged(const std::string& how) const {
        throw Error(ExitCode::usage,
                    fmt::format("the saved state {} is damaged: {}; delete it to start from what "
                                "lies beside it",
                                path_.string(), how));
    }
    std::string line() {
        std::string text;
        if (!std::getline(in_, text)) damaged("its head does not end");
        return text;
    }
    bool read(const std::string& key, std::istringstream& words, SavedState& saved) {
        std::string name;
        if (key == "workload") return static_cast<bool>(words >> saved.head.workload);
        if (key == "generations") return static_cast<bool>(words >> saved.head.generations);
        if (key == "checksum") return static_cast<bool>(words >> std::hex >> checksum_);
        if (key == "cell") {
            words >> name;
            return element(name, saved.head.cell);
        }
        if (key == "parameter") {
            words >> name;
            auto& values = saved.head.parameters[name];
            for (std::string word; words >> word;) values.push_back(number(word));
            return !values.empty();
        }
        if (key == "account") {
            std::string value;
            words >> name >> value;
            saved.state.account[name] = number(value);
            return !value.empty();
        }
        if (key == "field") {
            std::string type;
            ElementType of{};
            Size size;
            if (!(words >> name >> type >> size.columns >> size.rows) || !element(type, of) ||
                size.columns < 1 || size.rows < 1)
                return false;
            saved.state.fields.emplace_back(name, of, size);
            return true;
        }
        return false;
    }
    double number(const std::string& word) const {
        try {
            return std::stod(word);
        } catch (const std::exception&) {
            damaged(fmt::format("'{}' is no number", word));
        }
    }
    static bool element(const std::string& name, ElementType& type) {
        for (const ElementType candidate :
             {ElementType::uint8, ElementType::uint32, ElementType::float32, ElementType::float64})
            if (info(candidate).name == name) {
                type = candidate;
                return true;
            }
        return false;
    }

    fs::path path_;
    std::istream& in_;
    std::uint64_t checksum_ = 0;
};

template <class Read>
auto with_reader(const fs::path& input, const Read& read)
    -> decltype(read(std::declval<Reader&>())) {
    const fs::path path = state_path(input);
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return std::nullopt;
    std::ifstream in(path, std::ios::binary);
    if (!in) read_file(path, "saved state", "what camber run --save wrote");  // says why
    Reader reader(path, in);
    return read(reader);
}

}  // namespace

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
    out << first_line << '\n'
        << "workload " << head.workload << '\n'
        << "cell " << info(head.cell).name << '\n'
        << "generations " << head.generations << '\n';
    // Each number is the shortest that reads back as the same.
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
    return with_reader(input, [](Reader& reader) -> std::optional<SavedState> {
        SavedState saved = reader.head();
        reader.cells(saved.state);
        return saved;
    });
}

std::optional<SavedHead> read_saved_head(const fs::path& input) {
    return with_reader(input, [](Reader& reader) -> std::optional<SavedHead> {
        return std::move(reader.head().head);
    });
}

}  // namespace camber
