#include "harness/results/results_file.hpp"

#include <utility>

namespace camber::results {

ResultsFile::ResultsFile(std::filesystem::path path) {
    file_.emplace(path, "results file");
    document_.source = path.string();
}

void ResultsFile::amend(const std::function<void(Document& document)>& edit) {
    Document edited = document_;
    edit(edited);
    if (file_) file_->replace(to_text(edited));
    document_ = std::move(edited);
}

}  // namespace camber::results
