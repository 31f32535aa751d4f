#include "harness/base/temporary_folder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "harness/base/error.hpp"

namespace camber {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder(const std::string& purpose)
    : path_((fs::temp_directory_path() / "camber-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr)
        throw Error(ExitCode::unavailable,
                    fmt::format("cannot {} in {}: {}; set TMPDIR to a folder that can be written",
                                purpose, fs::temp_directory_path().string(), std::strerror(errno)));
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace camber
