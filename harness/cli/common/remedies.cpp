#include "harness/cli/common/remedies.hpp"

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

}  // namespace

std::string sentence(const Error& error) {
    return error.what() + remedy_of(error);
}

}  // namespace camber
