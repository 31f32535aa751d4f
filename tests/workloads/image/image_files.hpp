// Image files for tests, in a temporary folder that is removed at the end of the test.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/harness/record/results_file_fixture.hpp"
#include "workloads/image/image.hpp"

namespace camber::image_test {

// `folder.file(name)` returns the path of a file; with bytes, the file is written first.
class Folder {
  public:
    std::filesystem::path file(const std::string& name) const { return folder_ / name; }
    std::filesystem::path file(const std::string& name, const std::string& bytes) const {
        results_test::write_text(file(name), bytes);
        return file(name);
    }

  private:
    results_test::TestFolder folder_;
};

using results_test::text_of;

inline void write(const std::filesystem::path& path, Size size, const std::vector<float>& pixels,
                  GreyScale scale = {}, const std::string& comment = "a test") {
    write_image(
        path, size,
        [&](int row, std::span<float> values) {
            for (int c = 0; c < size.columns; ++c)
                values[static_cast<std::size_t>(c)] =
                    pixels[static_cast<std::size_t>(row * size.columns + c)];
        },
        scale, comment);
}

}  // namespace camber::image_test
