// Helpers shared by the tests of result files.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/record/document.hpp"
#include "harness/record/fields.hpp"

namespace camber::results_test {

namespace fs = std::filesystem;
using results::Json;
using results::ResultsFile;

// A new folder that is removed with everything in it.
class TestFolder {
  public:
    TestFolder() {
        std::string name = (fs::temp_directory_path() / "camber-results-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
        path_ = name;
    }
    TestFolder(const TestFolder&) = delete;
    TestFolder& operator=(const TestFolder&) = delete;
    ~TestFolder() { fs::remove_all(path_); }

    fs::path operator/(const fs::path& name) const { return path_ / name; }
    const fs::path& path() const { return path_; }

    std::size_t entries() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
    }

  private:
    fs::path path_;
};

inline std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void write_text(const fs::path& path, const std::string& text) {
    std::ofstream(path) << text;
}

inline results::CaseRecord benchmark(int index, std::size_t samples = 3) {
    results::CaseRecord record;
    record.name = "case";
    record.repetition = index;
    record.samples.emplace().ns.assign(samples, 1.25);
    record.real_time_ns = 1.25;
    return record;
}

inline void add(ResultsFile& file, const results::CaseRecord& record) {
    file.amend([&](results::Document& document) { document.cases.push_back(record); });
}

// Stores a case immediately.
inline void store(const fs::path& path) {
    ResultsFile file(path);
    add(file, benchmark(0));
}

// Returns the message of the Error that `action` throws, or "no error".
template <class Action>
std::string sentence_of(const Action& action) {
    try {
        action();
    } catch (const camber::Error& error) {
        if (error.code() != camber::ExitCode::unavailable) return "wrong exit code";
        return error.what();
    }
    return "no error";
}

}  // namespace camber::results_test
