// Readers under mutated inputs, in a process of their own: a reader that crashes or hangs is
// reported like one that misbehaves in another way, and its input is kept.
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
    // Sound files. Called in the process of the reader, with a folder that is removed in the end:
    // the one that the file of the input is in.
    std::function<std::vector<std::string>(const std::filesystem::path& folder)> seeds;
    // Reads the input, which is also the content of the file. Returns, or throws camber::Error.
    std::function<void(const std::string& input, const std::filesystem::path& file)> read;
    // Name of the file, of which every sentence must have the stem.
    std::string file = "fuzzed.txt";
};

struct Limits {
    std::uint64_t seed = 1;
    std::chrono::milliseconds duration{1000};
    std::uint64_t most_inputs = UINT64_MAX;
    std::chrono::milliseconds longest_input{10000};  // time that one input may take
};

struct Result {
    std::string problem;         // "" if there was none
    std::filesystem::path kept;  // file with the input of the problem
    std::uint64_t inputs = 0;    // that were read
    std::uint64_t accepted = 0;  // without an error
};

// Reads the seeds, which must all be accepted, and then mutations of them for the duration,
// `most_inputs` of them at most. A problem is any exception but camber::Error, an Error with an
// exit code other than 2, 3 or 5, a sentence that is longer than the limit, has a control character
// or does not name the file, a crash, a hang, or more than 4 GiB of memory.
Result run_supervised(const Reader& reader, const Limits& limits);

// Reads that one input in the same way.
Result replay(const Reader& reader, const std::string& input, const Limits& limits);

}  // namespace camber::fuzz
