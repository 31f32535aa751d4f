// Image files for tests: in a folder of their own that goes with the test.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "workloads/image/image.hpp"

namespace camber::image_test {

class Folder {
  public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "camber-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
        path_ = name;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path_); }

    std::filesystem::path file(const std::string& name) const { return path_ / name; }
    std::filesystem::path file(const std::string& name, const std::string& bytes) const {
        std::ofstream(file(name), std::ios::binary) << bytes;
        return file(name);
    }

  private:
    std::filesystem::path path_;
};

inline std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

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
