// Order to a replay process, and its result: JSON files in a temporary folder. A crashed kernel
// ends its process, so that each kind of work has one of its own.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/capture/job.hpp"

namespace camber::capture {

// Stage of a study that replays the kernel over poison.
inline constexpr const char* poison_stage = "replaying the launch over poison";

// Content of outputs before the runs of a candidate: a byte of the result may have one value that
// the candidate never wrote, not both.
inline constexpr std::array<unsigned char, 2> output_poisons{0x7b, 0x84};

enum class Work {
    study,   // replays the original, finds its inputs and outputs, and varies its replays
    verify,  // runs one candidate, and compares its result
    time,    // times the original and candidates in turn
    count,   // reads hardware counters of the original and candidates
};

// Role of a part of a buffer.
enum class Role {
    unused,    // neither read nor written, as far as the replay shows
    input,     // read, and not written
    output,    // written, and not read
    in_place,  // read and written
};

// Bytes of a buffer, from `begin` to `end`.
struct Part {
    std::uint64_t buffer = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    Role role = Role::input;
    bool is_fixed = false;  // poison in it crashes the kernel, so it is an input
    // Offsets in the buffer and lengths of the bytes that the kernel writes, if it is an output.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> written;
};

enum class Element { bytes, float16, bfloat16, float32, float64 };

// Difference that counts as equal, in the bytes of a buffer from `begin` to `end`.
struct ByteTolerance {
    std::uint64_t buffer = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    Element element = Element::bytes;  // bytes: any value counts as equal
    double absolute = 0;
    double relative = 0;
};

// A kernel to run in place of the original.
struct CandidateCode {
    std::string name;    // for people
    std::string file;    // cubin
    std::string kernel;  // symbol
    std::optional<Dimensions> grid, block;
    std::optional<std::uint64_t> shared_bytes;
};

struct WorkerJob {
    Work work = Work::study;
    std::string folder;  // capture
    std::uint64_t launch = 0;
    std::int64_t device = 0;
    bool keep_addresses = true;  // a process that misses an address ends, to be started again
    bool separate = false;       // each buffer is an allocation of its own
    std::vector<CandidateCode> candidates;
    std::vector<Part> parts;        // of a study: as far as they are known
    std::uint64_t known_steps = 0;  // steps of find_roles() that are done
    std::vector<ByteTolerance> tolerances;
    std::uint64_t samples = 0;
    std::string counters;  // sets and metrics, as for --counters
    std::vector<std::string> cupti_folders;
    std::string result;  // path
};

// Bytes of a buffer that differ from the expected ones.
struct Difference {
    std::uint64_t bytes = 0;         // number of different bytes outside the tolerances
    std::uint64_t tolerated = 0;     // number of different bytes within them
    std::uint64_t first_buffer = 0;  // location of the first one
    std::uint64_t first_offset = 0;
    std::string expected, actual;  // eight bytes at that location, in hexadecimal digits
};

struct Sample {
    std::string name;  // of the candidate; "" for the original
    bool flushed = false;
    std::vector<double> ns;
};

// Hardware counters of one launch.
struct CountedKernel {
    std::string name;  // of the candidate; "" for the original
    std::vector<std::string> metrics;
    std::vector<double> values;
};

struct WorkerResult {
    std::string stage;            // what was being done when the process ended
    std::string failure;          // sentence; "" if there was none
    bool missed_address = false;  // and keep_addresses was set
    bool kernel_failed = false;   // a kernel crashed
    std::uint64_t moved_buffers = 0;
    std::uint64_t patched_words = 0;
    std::string device;
    std::int64_t compute_capability = 0;  // 10 * major + minor
    std::int64_t multiprocessors = 0;
    std::int64_t l2_bytes = 0;
    std::vector<Parameter> parameters;           // of the candidate
    std::vector<std::string> missing_variables;  // of the module that the candidate lacks
    std::optional<Difference> difference;
    bool deterministic = true;
    std::vector<ByteTolerance> variations;  // between replays of the original
    std::vector<Part> parts;
    std::uint64_t known_steps = 0;
    std::vector<std::uint64_t> step_parts;  // indices of the parts that the next step poisons
    bool complete = false;                  // all parts were examined
    std::uint64_t checksum = 0;             // FNV-1a of all memory after the launch in the program
    std::uint64_t nonzero_bytes = 0;        // of that memory
    std::vector<Sample> samples;
    bool timed_by_cupti = false;
    std::vector<CountedKernel> counted;
};

}  // namespace camber::capture

namespace camber::results {

template <>
struct Names<capture::Work> {
    static constexpr std::array all{capture::Work::study, capture::Work::verify,
                                    capture::Work::time, capture::Work::count};
    static const char* text(capture::Work work) {
        constexpr std::array names{"study", "verify", "time", "count"};
        return names[static_cast<std::size_t>(work)];
    }
};

template <>
struct Names<capture::Role> {
    static constexpr std::array all{capture::Role::unused, capture::Role::input,
                                    capture::Role::output, capture::Role::in_place};
    static const char* text(capture::Role role) {
        constexpr std::array names{"unused", "input", "output", "in place"};
        return names[static_cast<std::size_t>(role)];
    }
};

template <>
struct Names<capture::Element> {
    static constexpr std::array all{capture::Element::bytes, capture::Element::float16,
                                    capture::Element::bfloat16, capture::Element::float32,
                                    capture::Element::float64};
    static const char* text(capture::Element element) {
        constexpr std::array names{"bytes", "half", "bfloat16", "float", "double"};
        return names[static_cast<std::size_t>(element)];
    }
};

}  // namespace camber::results

namespace camber::capture {

template <class Archive>
void fields(Archive& a, Of<Archive, Part>& p) {
    a("buffer", p.buffer);
    a("begin", p.begin);
    a("end", p.end);
    a("role", p.role);
    a("is_fixed", p.is_fixed);
    a("written", p.written);
}

template <class Archive>
void fields(Archive& a, Of<Archive, ByteTolerance>& t) {
    a("buffer", t.buffer);
    a("begin", t.begin);
    a("end", t.end);
    a("element", t.element);
    a("absolute", t.absolute);
    a("relative", t.relative);
}

template <class Archive>
void fields(Archive& a, Of<Archive, CandidateCode>& c) {
    a("name", c.name);
    a("file", c.file);
    a("kernel", c.kernel);
    // Absent dimensions are stored as zeros.
    Dimensions grid = c.grid.value_or(Dimensions{});
    Dimensions block = c.block.value_or(Dimensions{});
    dimensions(a, "grid", grid);
    dimensions(a, "block", block);
    a.may("shared_bytes", c.shared_bytes);
    if constexpr (!Archive::writes) {
        if (grid[0] != 0) c.grid = grid;
        if (block[0] != 0) c.block = block;
    }
}

template <class Archive>
void fields(Archive& a, Of<Archive, WorkerJob>& j) {
    a("work", j.work);
    a("folder", j.folder);
    a("launch", j.launch);
    a("device", j.device);
    a("keep_addresses", j.keep_addresses);
    a("separate", j.separate);
    a("candidates", j.candidates);
    a("parts", j.parts);
    a("known_steps", j.known_steps);
    a("tolerances", j.tolerances);
    a("samples", j.samples);
    a("counters", j.counters);
    a("cupti_folders", j.cupti_folders);
    a("result", j.result);
}

template <class Archive>
void fields(Archive& a, Of<Archive, Difference>& d) {
    a("bytes", d.bytes);
    a("tolerated", d.tolerated);
    a("first_buffer", d.first_buffer);
    a("first_offset", d.first_offset);
    a("expected", d.expected);
    a("actual", d.actual);
}

template <class Archive>
void fields(Archive& a, Of<Archive, Sample>& s) {
    a("name", s.name);
    a("flushed", s.flushed);
    a("ns", s.ns);
}

template <class Archive>
void fields(Archive& a, Of<Archive, CountedKernel>& c) {
    a("name", c.name);
    a("metrics", c.metrics);
    a("values", c.values);
}

template <class Archive>
void fields(Archive& a, Of<Archive, WorkerResult>& r) {
    a("stage", r.stage);
    a("failure", r.failure);
    a("missed_address", r.missed_address);
    a("kernel_failed", r.kernel_failed);
    a("moved_buffers", r.moved_buffers);
    a("patched_words", r.patched_words);
    a("device", r.device);
    a("compute_capability", r.compute_capability);
    a("multiprocessors", r.multiprocessors);
    a("l2_bytes", r.l2_bytes);
    a("parameters", r.parameters);
    a("missing_variables", r.missing_variables);
    a.may("difference", r.difference);
    a("deterministic", r.deterministic);
    a("variations", r.variations);
    a("parts", r.parts);
    a("known_steps", r.known_steps);
    a("step_parts", r.step_parts);
    a("complete", r.complete);
    a("checksum", r.checksum);
    a("nonzero_bytes", r.nonzero_bytes);
    a("samples", r.samples);
    a("timed_by_cupti", r.timed_by_cupti);
    a("counted", r.counted);
}

}  // namespace camber::capture
