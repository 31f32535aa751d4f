// Document of a run: the content of a result file as values, its text form, and the file on disk.
// JSON is used only where documents are read and written (the `fields` functions in
// harness/record).
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/atomic_file.hpp"
#include "harness/record/case_record.hpp"
#include "harness/record/context.hpp"
#include "harness/record/model_record.hpp"
#include "harness/record/scaling.hpp"

namespace camber::results {

// Status of a part of a campaign, in the file campaign.json of its folder.
enum class PartStatus : std::uint8_t {
    not_started,
    incomplete,  // resumed by the next call
    whole,
    failed,    // restarted by the next call
    left_out,  // because of something that this machine lacks
};

std::string_view name(PartStatus status);  // "not started"...

// One command of camber, and the file that it writes.
struct CampaignPart {
    std::string name;                  // of its files in the folder, without extensions
    std::vector<std::string> command;  // "camber", "run"...
    std::string purpose;               // a sentence
    PartStatus status = PartStatus::not_started;
    std::string reason;      // why it failed or was skipped; else ""
    double seconds = 0;      // total of all calls
    std::int64_t cases = 0;  // stored
    std::int64_t wrong = 0;  // stored cases that failed verification
    // Cases that were skipped because of their predicted times; absent: none.
    std::optional<std::int64_t> hopeless;
};

struct Campaign {
    std::string backend;  // "cuda", "simt" or "cpu"
    bool quick = false;
    // Maximum number of GPUs for multi-GPU parts; absent: as given in the list.
    std::optional<int> most_gpus;
    // Maximum number of parts measured concurrently, each on a GPU and CPU cores of its own;
    // absent: one after another.
    std::optional<int> at_once;
    std::map<std::string, std::string> data;  // folders of terrain, by their option
    double seconds = 0;                       // total of all calls, including their pages
    std::vector<CampaignPart> parts;          // in order of importance
};

// Results of a run: the content of a result file as values.
//
// JSON is used only where files are read and written (the `fields` functions in harness/record).
struct Document {
    std::string source;  // the path as given, for messages; not written
    Context context;
    std::vector<CaseRecord> cases;
    std::vector<Aggregate> aggregates;
    std::vector<scaling::Analysis> scaling;  // in files of `camber scale`
    std::optional<Ceilings> ceilings;        // in files of `camber ceilings`
    std::optional<Campaign> campaign;  // in campaign.json, which describes a folder of results
    // Models in a file of `camber model`. When read, they also become cases without times.
    std::vector<ModelEntry> models;

    // Returns the case with this name, or nullptr.
    const CaseRecord* find(std::string_view name) const;
    // "" if the file does not contain it.
    std::string gpu() const { return run() && run()->gpu ? run()->gpu->name : ""; }
    const Run* run() const { return context.run ? &*context.run : nullptr; }
};

// Reads a file that camber or Google Benchmark wrote. Throws Error(usage), with the file and the
// location, if the file does not exist, cannot be read, is not JSON, or does not have the form of a
// result file.
Document read_document(const std::filesystem::path& path);
// Parses a document from text; `source` names it in messages.
Document parse_document(std::string_view text, const std::string& source);

// The number as written in documents: with the fewest digits that identify the double.
std::string number_text(double value);

// Text with an indentation of two blanks; lists of plain values, and short objects of them, on one
// line. Throws std::logic_error with the location of a number that JSON cannot express.
std::string to_text(const Document& document);
// `models` alone, one per line, with sorted keys: the output of `camber model --baseline`.
std::string to_baseline_text(const std::vector<ModelEntry>& models);

// File of one run's results, complete and valid at every moment

// The file is rewritten as cases arrive, so that an interrupted run does not lose stored cases. The
// document is written to a temporary file in the target's folder, flushed to the disk and renamed
// to the target: a reader sees the old document or the new one, never a part.
//
// Every failure of the file system is an Error(ExitCode::unavailable). A NaN or an infinity in a
// document, which JSON cannot express, is a std::logic_error with its location as a JSON pointer.
// After either, file and document are as before the call.
class ResultsFile {
  public:
    // Checks that the file can be written, before time is spent on measurements; an existing file
    // is not changed until the first change is stored. A symbolic link is resolved now; its target
    // is replaced and keeps its permissions. Temporary files that a killed run left beside the
    // target are removed. Throws if another process writes the file.
    enum class Existing {
        replaced,
        kept,  // renamed, when the first change is stored
    };
    explicit ResultsFile(std::filesystem::path path, Existing existing = Existing::replaced);
    // Document in memory only.
    ResultsFile() = default;
    // Continues with the earlier content of the file.
    void start_from(Document document);

    ResultsFile(const ResultsFile&) = delete;
    ResultsFile& operator=(const ResultsFile&) = delete;
    // Stores unsaved changes, if possible.
    ~ResultsFile();

    // Changes the document and stores it: `edit` works on a copy, which then replaces the document.
    void amend(const std::function<void(Document& document)>& edit);
    // Like amend(), for frequent changes: writing is postponed, so that it takes at most a fiftieth
    // of the time; amend() also writes postponed changes.
    void amend_in_time(const std::function<void(Document& document)>& edit);

    // If a candidate ends this process before the next change, its guard stores the document with
    // this change, in which rescue_reason (candidate_guard.hpp) is the placeholder for the reason.
    void rescue(const std::function<void(Document& document)>& edit) const;

    const Document& document() const { return document_; }
    // New name of the existing file, if it was kept.
    const std::optional<std::filesystem::path>& kept() const { return kept_; }

  private:
    using Clock = std::chrono::steady_clock;

    void store(const Document& document);

    std::optional<AtomicFile> file_;
    bool stored_ = true;
    Clock::time_point next_;  // time when a postponed change is stored
    bool keeps_ = false;      // the existing file is to be kept, when the first change is stored
    std::optional<std::filesystem::path> kept_;
    Document document_;
};

}  // namespace camber::results
