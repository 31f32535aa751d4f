// Runs readers on mutated inputs in a separate process. A reader that crashes or hangs is reported
// like one that misbehaves in another way, and its input is stored.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace camber::fuzz {

enum class Format { text, json };

struct Reader {
    std::string name;
    Format format = Format::text;
    // Returns valid files. Called in the reader's process with the folder that contains the input
    // file and is removed at the end.
    std::function<std::vector<std::string>(const std::filesystem::path& folder)> seeds;
    // Reads the input, which is also the content of the file. Must return or throw camber::Error.
    std::function<void(const std::string& input, const std::filesystem::path& file)> read;
    // File name, whose stem must appear in every error sentence.
    std::string file = "fuzzed.txt";
};

struct Limits {
    std::uint64_t seed = 1;
    std::chrono::milliseconds duration{1000};
    std::uint64_t most_inputs = UINT64_MAX;
    std::chrono::milliseconds longest_input{10000};  // time limit per input
};

struct Result {
    std::string problem;         // "" if there was none
    std::filesystem::path kept;  // file with the input that caused the problem
    std::uint64_t inputs = 0;    // number of inputs read
    std::uint64_t accepted = 0;  // inputs read without an error
};

// Reads the seeds, which must all be accepted, and then mutations of them until the time limit or
// `most_inputs`. Problems are: any exception except camber::Error, an Error with an exit code other
// than 2, 3 or 5, a sentence that is longer than the limit, contains a control character or does
// not name the file, a crash, a hang, and more than 4 GiB of memory.
Result run_supervised(const Reader& reader, const Limits& limits);

// Reads a single input in the same way.
Result replay(const Reader& reader, const std::string& input, const Limits& limits);

}  // namespace camber::fuzz
