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

// What a campaign is and how far it has come: the file campaign.json of its folder.
enum class PartStatus : std::uint8_t {
    not_started,
    incomplete,  // gone on with by the next call
    whole,
    failed,    // started again by the next call
    left_out,  // by what is missing on this machine
};

std::string_view name(PartStatus status);  // "not started"...

// One command of camber, and the file that it writes.
struct CampaignPart {
    std::string name;                  // of its files in the folder, without their endings
    std::vector<std::string> command;  // "camber", "run"...
    std::string purpose;               // a sentence
    PartStatus status = PartStatus::not_started;
    std::string reason;      // why it failed or was left out; else ""
    double seconds = 0;      // of all calls together
    std::int64_t cases = 0;  // stored
    std::int64_t wrong = 0;  // of them, which failed verification
    // Of them, which were left out for their predicted times; absent: none.
    std::optional<std::int64_t> hopeless;
};

struct Campaign {
    std::string backend;  // "cuda", "simt" or "cpu"
    bool quick = false;
    // Up to how many GPUs parts over several of them go; absent: as many as the list names.
    std::optional<int> most_gpus;
    // How many of its parts were measured at once at most, each on a GPU and some of the CPU's
    // cores of its own; absent: one after another.
    std::optional<int> at_once;
    std::map<std::string, std::string> data;  // folders of terrain, by the option that names them
    double seconds = 0;                       // of all calls together, with their pages
    std::vector<CampaignPart> parts;          // in the order of their worth
};

// The results of a run: what a results file holds, as values.
//
// JSON exists where files are read and written (harness/record/*_fields.cpp) and nowhere else.
struct Document {
    std::string source;  // the path as given, for messages; not written
    Context context;
    std::vector<CaseRecord> cases;
    std::vector<Aggregate> aggregates;
    std::vector<scaling::Analysis> scaling;  // of a file of `camber scale`
    std::optional<Ceilings> ceilings;        // of a file of `camber ceilings`
    std::optional<Campaign> campaign;        // of the file that tells of a folder of results
    // The models of a file of `camber model`. Reading it also makes them cases without times.
    std::vector<ModelEntry> models;

    // The case of that name, or null.
    const CaseRecord* find(std::string_view name) const;
    // "" where the file does not say.
    std::string gpu() const { return run() && run()->gpu ? run()->gpu->name : ""; }
    const Run* run() const { return context.run ? &*context.run : nullptr; }
};

// A file that camber or Google Benchmark wrote. Throws Error(usage) where the file is absent,
// cannot be read, is no JSON, or does not have the form of a results file: the sentence names the
// file and the place.
Document read_document(const std::filesystem::path& path);
// The same from a text; `source` names it in messages.
Document parse_document(std::string_view text, const std::string& source);

// The number as a document has it: with as many digits as tell it from all others.
std::string number_text(double value);

// With two blanks of indentation; lists of plain values, and short objects of such, in one line.
// Throws std::logic_error for a number that JSON cannot express, naming its place.
std::string to_text(const Document& document);
// `models` alone, one line each, with sorted keys: what `camber model --baseline` writes.
std::string to_baseline_text(const std::vector<ModelEntry>& models);

// The results of one run as a document on disk, complete and valid at every moment.

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
