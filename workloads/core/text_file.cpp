#include "workloads/core/text_file.hpp"

#include <cerrno>
#include <fstream>

#include "harness/base/atomic_file.hpp"

namespace camber::grid_file {

void write_text(const std::filesystem::path& path, const std::string& kind,
                const std::function<void(std::ostream&)>& write) {
    NewFile file(path, kind);
    errno = 0;
    std::ofstream out(file.path(), std::ios::binary | std::ios::trunc);
    if (out) write(out);
    out.close();
    if (!out) file.fail(errno != 0 ? errno : EIO);
    file.finish();
}

}  // namespace camber::grid_file
