#include "harness/cli/init/project_texts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <regex>
#include <sstream>
#include <utility>

namespace camber::project_files {

namespace fs = std::filesystem;

namespace {

std::string replaced(std::string text,
                     const std::vector<std::pair<std::string, std::string>>& values) {
    for (const auto& [name, value] : values)
        for (std::size_t at = text.find(name); at != text.npos;
             at = text.find(name, at + value.size()))
            text.replace(at, name.size(), value);
    return text;
}

}  // namespace

std::string with_includes_from(const std::string& text, const fs::path& source,
                               const fs::path& copy) {
    static const std::regex include("^(\\s*#\\s*include\\s*\")([^\"]+)(\".*)$");
    std::istringstream lines(text);
    std::string moved;
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_match(line, match, include))
            if (const fs::path header = source.parent_path() / match[2].str(); fs::exists(header))
                line = match[1].str() +
                       header.lexically_relative(copy.parent_path()).generic_string() +
                       match[3].str();
        moved += line + "\n";
    }
    return moved;
}

std::string gate_text(const std::string& line, const fs::path& source, const fs::path& reference,
                      const fs::path& folder) {
    return fmt::format(
        "// The launch line is a guess from the parameters' types "
        "and names. Correct it if the\n"
        "// application launches the kernel differently.\n"
        "{}\n"
        "// The kernel as it was when this file was written defines "
        "the correct result.\n"
        "// camber: reference {}\n"
        "#include \"{}\"\n",
        line, reference.lexically_relative(folder).generic_string(),
        source.lexically_relative(folder).generic_string());
}

std::string workflow_text(const Gates& gates) {
    std::string steps;
    const auto step = [&](std::string_view input, const std::vector<std::string>& paths,
                          std::string_view title, const fs::path& baseline) {
        steps += fmt::format(
            "      - uses: ./.github/actions/camber\n"
            "        with:\n"
            "          # Path or URL of camber's .deb, .tar.gz or "
            ".whl: a variable of the "
            "repository.\n"
            "          package: ${{{{ vars.CAMBER_PACKAGE }}}}\n"
            "          title: {}\n"
            "          {}: {}\n"
            "          baseline: {}\n",
            title, input, fmt::join(paths, " "), baseline.generic_string());
    };
    if (!gates.kernels.empty()) step("kernels", gates.kernels, "CUDA kernels", baseline_file);
    if (!gates.binaries.empty()) {
        steps +=
            "      # Builds the binaries. A runner without the CUDA "
            "toolkit needs a container, "
            "such as\n"
            "      # `container: "
            "nvidia/cuda:12.8.1-devel-ubuntu24.04` below "
            "`runs-on`.\n"
            "      - run: cmake -S . -B build && cmake --build "
            "build\n";
        step("binaries", gates.binaries, "compiled CUDA code", binaries_folder);
    }
    if (steps.ends_with('\n')) steps.pop_back();
    return replaced(std::string(templates::workflow()), {{"@STEPS@", steps}});
}

std::string cmake_text(const Gates& gates) {
    std::string text;
    const auto from_here = [](const std::vector<std::string>& paths) {
        std::vector<std::string> relative;
        for (const std::string& path : paths)
            relative.push_back(fs::path(path).lexically_relative("camber").generic_string());
        return fmt::format("{}", fmt::join(relative, " "));
    };
    if (!gates.kernels.empty())
        text += fmt::format(
            "camber_add_kernel_gate(NAME kernels KERNELS {} "
            "BASELINE baseline.json)\n",
            from_here(gates.kernels));
    if (!gates.binaries.empty())
        text += fmt::format(
            "camber_add_kernel_gate(NAME binaries BINARIES {} "
            "BASELINE binaries)\n",
            from_here(gates.binaries));
    if (text.ends_with('\n')) text.pop_back();
    return replaced(std::string(templates::cmake()), {{"@GATES@", text}});
}

std::string baseline_of(const std::string& binary) {
    return (binaries_folder / (fs::path(binary).filename().string() + ".json")).generic_string();
}

// Command that renews the kernels' baseline.
std::string renewing(const Gates& gates) {
    std::string command = fmt::format("camber model --baseline {}", baseline_file.generic_string());
    for (const std::string& path : gates.kernels) command += " --candidate " + path;
    return command;
}

std::string readme_text(const Gates& gates, bool any_found, bool any_unfinished) {
    std::vector<std::string> files;
    std::vector<std::string> run;
    std::vector<std::string> renew;
    std::string notes;
    if (!gates.kernels.empty()) {
        files.emplace_back(
            "| `kernels/` | gated kernels, each with its launch "
            "line `// camber: ...` |");
        if (any_found)
            files.emplace_back(
                "| `reference/` | copies that define the correct "
                "results |");
        files.emplace_back(
            "| `baseline.json` | predicted memory traffic of the "
            "kernels |");
        std::string command = fmt::format("camber compare {}", baseline_file.generic_string());
        for (const std::string& path : gates.kernels) command += " --candidate " + path;
        run.push_back(command);
        run.push_back(
            fmt::format("for kernel in {}/*.cu; do camber try "
                        "\"$kernel\" --backend simt; done",
                        kernels_folder.generic_string()));
        renew.push_back(renewing(gates));
    }
    if (any_unfinished) {
        files.emplace_back(
            "| `unfinished/` | kernels whose launch line needs a "
            "correction |");
        notes =
            "Correct the launch line of a file in `unfinished/`, "
            "also in its copy in `reference/`, "
            "and "
            "try it with `camber try FILE`. Then\nmove it to "
            "`kernels/` and renew the baseline.";
    }
    if (!gates.binaries.empty())
        files.emplace_back(
            "| `binaries/` | registers, memory and code hash of "
            "compiled kernels |");
    for (const std::string& binary : gates.binaries) {
        run.push_back(fmt::format("camber compare {} {}", baseline_of(binary), binary));
        renew.push_back(
            fmt::format("camber inspect {} --format json --out {}", binary, baseline_of(binary)));
    }
    files.emplace_back(
        "| `CMakeLists.txt` | CTest entries: "
        "`add_subdirectory(camber)` |");
    std::string text = replaced(std::string(templates::readme()),
                                {{"@FILES@", fmt::format("{}", fmt::join(files, "\n"))},
                                 {"@RUN@", fmt::format("{}", fmt::join(run, "\n"))},
                                 {"@RENEW@", fmt::format("{}", fmt::join(renew, "\n"))},
                                 {"@NOTES@", notes}});
    while (text.ends_with("\n\n")) text.pop_back();
    return text;
}

}  // namespace camber::project_files
