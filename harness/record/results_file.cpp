#include "harness/record/results_file.hpp"

#include <exception>
#include <string>
#include <utility>

#include "harness/base/candidate_guard.hpp"

namespace camber::results {

namespace {

constexpr int writing_share = 50;

}  // namespace

ResultsFile::ResultsFile(std::filesystem::path path, Existing existing)
    : keeps_(existing == Existing::kept) {
    file_.emplace(path, "results file");
    document_.source = path.string();
    set_rescue(document_.source, "");
}

void ResultsFile::start_from(Document document) {
    document.source = document_.source;
    document_ = std::move(document);
}

ResultsFile::~ResultsFile() {
    try {
        if (!stored_) store(document_);
    } catch (const std::exception&) {
        // The file is as it was stored last.
    }
    if (file_) set_rescue("", "");
}

void ResultsFile::rescue(const std::function<void(Document& document)>& edit) const {
    if (!file_ || !is_guarded()) return;
    Document edited = document_;
    edit(edited);
    set_rescue(document_.source, to_text(edited));
}

void ResultsFile::store(const Document& document) {
    const auto start = Clock::now();
    const std::string text = file_ ? to_text(document) : "";
    if (std::exchange(keeps_, false) && file_) kept_ = file_->set_aside();
    if (file_) file_->replace(text);
    stored_ = true;
    const auto end = Clock::now();
    next_ = end + (end - start) * writing_share;
}

void ResultsFile::amend(const std::function<void(Document& document)>& edit) {
    Document edited = document_;
    edit(edited);
    store(edited);
    if (file_) set_rescue(document_.source, "");
    document_ = std::move(edited);
}

void ResultsFile::amend_in_time(const std::function<void(Document& document)>& edit) {
    if (Clock::now() >= next_) return amend(edit);
    Document edited = document_;
    edit(edited);
    document_ = std::move(edited);
    stored_ = false;
    if (file_) set_rescue(document_.source, "");
}

}  // namespace camber::results
