#include "harness/cli/common/remedies.hpp"

#include <unistd.h>

#include <cstdio>
#include <sstream>

#include "harness/base/error_lines.hpp"
#include "harness/base/printable.hpp"
#include "harness/cli/common/terminal.hpp"

namespace camber {

namespace {

std::string remedy_of(const Error& error) {
    const std::string& value = error.remedy_value();
    switch (error.remedy()) {
        case Remedy::none:
            break;
        case Remedy::smaller_board:
            return ": choose a smaller --size";
        case Remedy::board_of_input:
            return ": leave out --size" + (value.empty() ? "" : ", or give --size " + value);
        case Remedy::no_position:
            return ": leave out --at";
        case Remedy::another_position:
            return ": choose another --at or a larger --size";
        case Remedy::another_output:
            return "; choose another --save " + value;
        case Remedy::parameter:
            return ": write for example --param " + value;
        case Remedy::another_device:
            return ", or try another --device";
        case Remedy::host_backend:
            return "; choose --backend simt or cpu";
        case Remedy::backend_with_graphs:
            return ": --graph needs the cuda or the simt backend";
        case Remedy::backend_with_caches:
            return ": --cache cold needs the cuda backend";
        case Remedy::no_graph:
            return ": run it without --graph";
        case Remedy::text_format:
            return ", or choose --format markdown, latex or csv";
    }
    return "";
}

void print_lines(const std::string& text) {
    const bool terminal = isatty(STDERR_FILENO) != 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        std::fprintf(stderr, "%s\n",
                     terminal ? folded(line, progress_width()).c_str() : line.c_str());
}

}  // namespace

std::string sentence(const Error& error) {
    const auto* const with_lines = dynamic_cast<const ErrorWithLines*>(&error);
    if (with_lines == nullptr) return printable(error.what() + remedy_of(error));
    constexpr std::size_t longest_lines = 4000;
    const std::string_view all = error.what();
    const std::string& lines = with_lines->lines();
    return printable(all.substr(0, all.size() - lines.size())) +
           printable(lines, longest_lines, LineFeeds::kept);
}

void say_error(const Error& error) {
    print_lines("camber: " + sentence(error));
}

void say_error(std::string_view sentence) {
    print_lines("camber: " + printable(sentence));
}

}  // namespace camber
