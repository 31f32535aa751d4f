// Files that `camber init` writes around the kernels of a project: their paths and texts.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace camber::project_files {

// Paths relative to the project.
inline const std::filesystem::path kernels_folder = "camber/kernels";
inline const std::filesystem::path reference_folder = "camber/reference";
inline const std::filesystem::path unfinished_folder = "camber/unfinished";
inline const std::filesystem::path baseline_file = "camber/baseline.json";
inline const std::filesystem::path binaries_folder = "camber/binaries";
inline const std::filesystem::path workflow_file = ".github/workflows/camber.yml";
inline const std::filesystem::path action_file = ".github/actions/camber/action.yml";

// Paths to gate, relative to the project.
struct Gates {
    std::vector<std::string> kernels;
    std::vector<std::string> binaries;
};

// File in `folder` that gates a kernel of an unmodified source, with its launch line.
std::string gate_text(const std::string& line, const std::filesystem::path& source,
                      const std::filesystem::path& reference, const std::filesystem::path& folder);
// Changes the paths in `#include "FILE"` of a source so that a copy in another folder finds them.
std::string with_includes_from(const std::string& text, const std::filesystem::path& source,
                               const std::filesystem::path& copy);

std::string workflow_text(const Gates& gates);
std::string cmake_text(const Gates& gates);
// `has_copies`: references are copies of the project's kernels. `has_unfinished`: some kernels are
// not gated yet.
std::string readme_text(const Gates& gates, bool has_copies, bool has_unfinished);

// Baseline of a compiled program or library.
std::string baseline_of(const std::string& binary);
// Command that renews the kernels' baseline.
std::string renewing(const Gates& gates);

// Embedded files: those in templates/, and the action at the root of the repository
// (cmake/Candidate.cmake).
namespace templates {
std::string_view action();
std::string_view cmake();
std::string_view readme();
std::string_view workflow();
}  // namespace templates

}  // namespace camber::project_files
