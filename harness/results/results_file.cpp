#include "harness/results/results_file.hpp"

#include <utility>

namespace camber::results {

ResultsFile::ResultsFile(std::filesystem::path path, Existing existing)
    : keeps_(existing == Existing::kept) {
    file_.emplace(path, "results file");
    document_.source = path.string();
}

void ResultsFile::start_from(Document document) {
    document.source = document_.source;
    document_ = std::move(document);
}

void ResultsFile::amend(const std::function<void(Document& document)>& edit) {
    Document edited = document_;
    edit(edited);
    const std::string text = file_ ? to_text(edited) : "";
    if (std::exchange(keeps_, false) && file_) kept_ = file_->set_aside();
    if (file_) file_->replace(text);
    document_ = std::move(edited);
}

}  // namespace camber::results
