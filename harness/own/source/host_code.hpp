// Takes out of a CUDA C++ file what the launches of its kernels do not need: main() and other code
// of the host, kernels that are not launched, and functions that nothing calls. So files are
// compiled as they are, and a defect of one kernel does not concern another one.
#pragma once

#include <string>
#include <vector>

namespace camber {

// Blanks out such functions in `text` and in `code`, the text without comments; preprocessor lines
// stay, and all lines where they are. `kernels`: those that are launched. Changes nothing if the
// functions cannot be found because braces do not match.
void leave_out_host_code(std::string& text, std::string& code,
                         const std::vector<std::string>& kernels);

}  // namespace camber
