// The results of one run as one JSON document on disk, complete and valid at every moment.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "harness/base/atomic_file.hpp"

namespace camber {

// One JSON document {"context": ..., "benchmarks": [...]} per run, rewritten after every case, so
// that an interrupted run keeps the cases it has stored. The document is written to a temporary
// file in the folder of the target, flushed to the disk and renamed over the target: a reader sees
// the old document or the new one, never a part.
//
// Every failure of the file system is an Error(ExitCode::unavailable). A NaN or an infinity
// anywhere in a document, which JSON cannot express, is a std::logic_error that names its place as
// a JSON pointer. After either, file and document are as before the call.
class ResultsFile {
  public:
    // Checks that the file can be written, before time is spent on measuring; an existing file
    // stays until the first case is stored. A symbolic link is followed now, and the file that it
    // points to is the one replaced, with its permissions kept. Temporary files that a killed run
    // left beside the target are removed.
    ResultsFile(std::filesystem::path path, nlohmann::ordered_json context);

    ResultsFile(const ResultsFile&) = delete;
    ResultsFile& operator=(const ResultsFile&) = delete;

    // Appends one element of benchmarks[]. When it returns, the case is on the disk.
    void add(nlohmann::ordered_json benchmark);

    // Rewrites what is stored: `edit` changes a copy of the document, which then replaces the file.
    void amend(const std::function<void(nlohmann::ordered_json& document)>& edit);

    const nlohmann::ordered_json& document() const { return document_; }

  private:
    AtomicFile file_;
    nlohmann::ordered_json document_;
};

}  // namespace camber
