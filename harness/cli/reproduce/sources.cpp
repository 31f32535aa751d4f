#include "harness/cli/reproduce/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "harness/base/error.hpp"
#include "harness/base/installed_files.hpp"
#include "harness/base/read_file.hpp"
#include "harness/record/merge.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

// Those of Google Benchmark's form; a folder has others, of models or of charts for example.
bool has_cases(const std::string& text) {
    return text.find("\"benchmarks\"") != std::string::npos;
}

std::vector<fs::path> json_files(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && entry.path().extension() == ".json")
            files.push_back(entry.path());
    // The first that has a variant gives its time: "magflow" before "magflow-counters", which is
    // short, and "magflow-dense".
    std::ranges::sort(files, {},
                      [](const fs::path& file) { return file.parent_path() / file.stem(); });
    return files;
}

void add(std::vector<results::Document>& documents, results::Document document) {
    results::merge_repetitions(document);
    documents.push_back(std::move(document));
}

}  // namespace

std::vector<results::Document> documents_in(const std::string& folder) {
    std::vector<results::Document> documents;
    for (const fs::path& file : json_files(found_file(folder)))
        if (const std::string text = read_file(file, "results file", "one that camber run wrote");
            has_cases(text))
            documents.push_back(results::parse_document(text, file.string()));
    if (documents.empty())
        throw Error(ExitCode::usage,
                    fmt::format("\"{}\" has no results file: give a folder that camber campaign "
                                "wrote, or a file of camber run",
                                folder));
    return documents;
}

std::vector<results::Document> documents_from(const std::vector<std::string>& paths) {
    std::vector<results::Document> documents;
    for (const std::string& path : paths)
        if (fs::is_directory(found_file(path)))
            for (results::Document& document : documents_in(path))
                add(documents, std::move(document));
        else
            add(documents, results::read_document(path));
    return documents;
}

}  // namespace camber
