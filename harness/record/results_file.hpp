// The results of one run as a document on disk, complete and valid at every moment.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>

#include "harness/base/atomic_file.hpp"
#include "harness/record/document.hpp"

namespace camber::results {

// Rewritten as cases come, so that an interrupted run keeps those it has stored. The document is
// written to a temporary file in the folder of the target, flushed to the disk and renamed over the
// target: a reader sees the old document or the new one, never a part.
//
// Every failure of the file system is an Error(ExitCode::unavailable). A NaN or an infinity
// anywhere in a document, which JSON cannot express, is a std::logic_error that names its place as
// a JSON pointer. After either, file and document are as before the call.
class ResultsFile {
  public:
    // Checks that the file can be written, before time is spent on measuring; an existing file
    // stays until the first change is stored. A symbolic link is followed now, and the file that it
    // points to is the one replaced, with its permissions kept. Temporary files that a killed run
    // left beside the target are removed. Where another process writes the file, that is an error.
    enum class Existing {
        replaced,
        kept,  // under another name, from the first change on
    };
    explicit ResultsFile(std::filesystem::path path, Existing existing = Existing::replaced);
    // In memory only.
    ResultsFile() = default;
    // Goes on from what the file held before.
    void start_from(Document document);

    ResultsFile(const ResultsFile&) = delete;
    ResultsFile& operator=(const ResultsFile&) = delete;
    // Stores what is not stored yet, if that can be done.
    ~ResultsFile();

    // Changes the document and stores it: `edit` works on a copy, which then replaces the file.
    void amend(const std::function<void(Document& document)>& edit);
    // The same of one of many changes: storing them takes no more than a fiftieth of the time, as
    // the file is left as it is until then, or until the next amend().
    void amend_in_time(const std::function<void(Document& document)>& edit);

    // If a candidate ends this process before the next change, its guard stores the document with
    // this change, in which rescue_reason (candidate_guard.hpp) stands for why.
    void rescue(const std::function<void(Document& document)>& edit) const;

    const Document& document() const { return document_; }
    // The name of the file that was kept.
    const std::optional<std::filesystem::path>& kept() const { return kept_; }

  private:
    using Clock = std::chrono::steady_clock;

    void store(const Document& document);

    std::optional<AtomicFile> file_;
    bool stored_ = true;
    Clock::time_point next_;  // when a change that can wait is stored
    bool keeps_ = false;      // what stands there, when the first change comes
    std::optional<std::filesystem::path> kept_;
    Document document_;
};

}  // namespace camber::results
