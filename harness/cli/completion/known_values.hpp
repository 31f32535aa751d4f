// Values of options that the program itself knows.
#pragma once

#include <string>
#include <vector>

namespace camber {

// Of the command's option of that name, without hyphens ("workload"), for a line about `workload`;
// none where the option takes a file, a number, or anything else.
std::vector<std::string> known_values(const std::string& command, const std::string& option,
                                      const std::string& workload);

}  // namespace camber
