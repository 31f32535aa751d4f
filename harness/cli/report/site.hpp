// Static site of measured results: pages that open from disk, with tables that need no script.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "analysis/history/trend.hpp"
#include "analysis/report/report.hpp"
#include "harness/page/page.hpp"
#include "harness/record/document.hpp"

namespace camber {

struct SiteContent {
    std::string title;
    std::vector<results::Document> documents;  // with merged repetitions
    report::Report report;                     // of these documents
    std::vector<std::string> damaged;          // a sentence for each file that could not be read
    std::vector<history::MachineTrend> history;
};

// Files of a site with these results.
std::vector<SiteFile> site_files(const SiteContent& content);

struct SiteSize {
    std::size_t files = 0;
    std::size_t changed = 0;  // files that were written because their text is new
    std::uintmax_t bytes = 0;
};

// A folder for a site: a new one, an empty one, or one that an earlier call wrote. Its file
// camber-site.json lists the files of the site.
class SiteFolder {
  public:
    // Throws Error(usage) if the folder has other files, and Error(unavailable) if it cannot be
    // created.
    explicit SiteFolder(std::filesystem::path folder);

    // Writes each page under a temporary name and renames it; pages whose text is the same are left
    // alone, and pages of an earlier site that no longer exist are removed. Throws
    // Error(unavailable) if the file system fails.
    SiteSize write(const SiteContent& content) const;

  private:
    std::filesystem::path folder_;
    std::vector<std::string> earlier_;  // files of the earlier site
};

}  // namespace camber
