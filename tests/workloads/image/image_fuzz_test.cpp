// Image readers with damaged files: for any bytes, they return a valid image or throw a
// camber::Error that names the file. Seeds are fixed; only the number of iterations depends on the
// clock.
#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/image/image_files.hpp"
#include "workloads/core/state_cells.hpp"

namespace camber::image_fuzz_test {
namespace {

using image_test::Folder;
using image_test::text_of;
using Random = std::mt19937_64;

// Returns "" if the reader behaves correctly, otherwise a description of the failure.
std::string misbehaviour(const std::filesystem::path& path, bool& accepted) {
    accepted = false;
    try {
        const Image image = read_image(path);
        accepted = true;
        if (image.size.cells() < 1 ||
            static_cast<std::int64_t>(image.pixels.size()) != image.size.cells())
            return "returned an image of another size";
        const auto inside = [](float pixel) { return pixel >= 0 && pixel <= 1; };
        return std::ranges::all_of(image.pixels, inside) ? "" : "returned pixels beyond [0, 1]";
    } catch (const Error& error) {
        if (error.code() != ExitCode::usage) return "threw another exit code";
        const std::string text = error.what();
        const bool formed = text.starts_with(path.string() + ":") && text.find('\n') == text.npos;
        return formed ? "" : "threw: " + text;
    } catch (const std::exception& error) {
        return std::string("threw another type: ") + error.what();
    }
}

std::vector<std::string> valid_files(const Folder& folder) {
    std::vector<std::string> files{"P2\n# grey\n4 3\n15\n0 1 2 3\n4 5 6 7\n8 9 10 15\n"};
    files.push_back(std::string("P5\n4 3\n255\n") + "abcdefghijkl");
    for (const char* name : {"a.pgm", "a.png"}) {
        std::vector<float> pixels(30 * 20);
        for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = uniform_float(1, i);
        image_test::write(folder.file(name), {30, 20}, pixels);
        files.push_back(text_of(folder.file(name)));
    }
    return files;
}

}  // namespace

TEST_CASE("every truncation of an image file is rejected", "[image][fuzz]") {
    const Folder folder;
    for (const std::string& file : valid_files(folder)) {
        for (std::size_t length = 0; length <= file.size(); ++length) {
            bool accepted = false;
            const std::string fault =
                misbehaviour(folder.file("cut", file.substr(0, length)), accepted);
            if (!fault.empty()) FAIL(fault << " for the first " << length << " bytes");
            // The last line break of a plain file may be missing, as may digits of its last number.
            if (accepted != (length == file.size()) && length + 2 < file.size())
                FAIL("accepted the first " << length << " of " << file.size() << " bytes");
        }
    }
}

TEST_CASE("damaged image files neither break the readers nor pass unsound", "[image][fuzz]") {
    const Folder folder;
    const auto files = valid_files(folder);
    Random random(20110601);
    const auto below = [&](std::size_t limit) { return random() % limit; };
    int accepted = 0;
    int iterations = 0;
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1500);
    do {
        std::string bytes = files[below(files.size())];
        for (std::size_t left = 1 + below(4); left > 0; --left) {
            // Mostly damages headers, on which readers branch.
            const std::size_t at =
                below(below(2) == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), 40));
            switch (below(5)) {
                case 0:
                    bytes.insert(at, 1, "0123456789 \n#"[below(13)]);
                    break;
                case 1:
                    bytes.erase(at, 1 + below(3));
                    if (bytes.empty()) bytes = "P";
                    break;
                case 2:
                    bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
                    break;
                default:
                    bytes[at] = static_cast<char>(random());
                    break;
            }
        }
        bool fine = false;
        const std::string fault = misbehaviour(folder.file("damaged", bytes), fine);
        if (!fault.empty()) FAIL(fault << " in iteration " << iterations);
        accepted += fine;
        ++iterations;
    } while (std::chrono::steady_clock::now() < end);
    // Both outcomes must be common; otherwise the inputs test little.
    CHECK(accepted > iterations / 100);
    CHECK(accepted < iterations / 2);
}

}  // namespace camber::image_fuzz_test
