// The checker reports every planted fault in candidate kernels at the right line, and nothing else.
#include <fstream>
#include <sstream>
#include <string>

#include "harness/base/error.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "harness/predict/check_variant.hpp"
#include "tests/catch.hpp"
#include "tests/harness/own/candidate_files.hpp"

namespace camber::plain_faults_test {
namespace {

struct Fault {
    const char* kernel;
    const char* arguments;
    FindingKind kind;
    const char* first;  // marks of the expected lines
    const char* second = "";
    int columns = 64;
    int generations = 1;
};

using Kind = FindingKind;

constexpr Fault faults[] = {
    {"shared_write_read", "out", Kind::shared_race, "shared_write_read load",
     "shared_write_read store"},
    {"shared_write_write", "out", Kind::shared_race, "shared_write_write", "shared_write_write"},
    {"shared_read_write", "out", Kind::shared_race, "shared_read_write load",
     "shared_read_write store"},
    {"shared_in_warp", "out", Kind::shared_race, "shared_in_warp load", "shared_in_warp store"},
    {"shared_atomic_and_store", "out", Kind::shared_race, "shared_atomic_and_store atomic",
     "shared_atomic_and_store store"},
    {"shared_unwritten", "out", Kind::unwritten_shared, "shared_unwritten"},
    {"blocks_write", "out", Kind::block_race, "blocks_write", "blocks_write", 128},
    {"blocks_exchange", "inout, out.more", Kind::block_race, "blocks_exchange load",
     "blocks_exchange store", 128},
    {"threads_exchange", "inout, out.more", Kind::global_race, "threads_exchange load",
     "threads_exchange store"},
    {"global_atomic_and_store", "inout", Kind::global_race, "global_atomic_and_store atomic",
     "global_atomic_and_store store"},
    {"global_unwritten", "in, out", Kind::unwritten_global, "global_unwritten", "", 64, 2},
    {"leave_board", "out", Kind::out_of_bounds, "leave_board"},
    {"leave_tile", "out", Kind::out_of_bounds, "leave_tile"},
    {"misaligned", "in, out", Kind::misaligned, "misaligned"},
    {"part_at_barrier", "out", Kind::barrier, "part_at_barrier"},
};

std::string text_of_faults() {
    std::ifstream file(kernel_file("faults.cu"));
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// "kernel.cu:LINE" of the line marked `// line: MARK`, counted after two lines of directives.
std::string place(const std::string& mark) {
    std::istringstream source(text_of_faults());
    std::string line;
    for (int number = 3; std::getline(source, line); ++number)
        if (line.ends_with("// line: " + mark)) return "kernel.cu:" + std::to_string(number);
    throw std::logic_error("no line is marked " + mark);
}

std::vector<Finding> findings_of(const Fault& fault, bool right) {
    const KernelText file("// camber: field more uint32\n// camber: " + std::string(fault.kernel) +
                          (right ? "<true>(" : "<false>(") + fault.arguments + ") block=64x1\n" +
                          text_of_faults());
    const Variant variant = file.variant();
    const Problem problem{{fault.columns, 1}, Boundary::dead, ElementType::uint32, {}};
    const State initial = find_workload("life")->initial({.size = problem.size});
    return check_variant(variant, problem, initial, fault.generations, 2).findings;
}

}  // namespace

TEST_CASE("every fault planted in a plain kernel is found at its line", "[candidate]") {
    for (const Fault& fault : faults) {
        CAPTURE(fault.kernel);
        bool found = false;
        for (const Finding& finding : findings_of(fault, false)) {
            CAPTURE(finding.sites, finding.sentence);
            if (finding.kind != fault.kind) continue;
            const std::string text = finding.sites + finding.sentence;
            CHECK_THAT(text, contains(place(fault.first)));
            if (*fault.second) CHECK_THAT(text, contains(place(fault.second)));
            found = true;
        }
        CHECK(found);
    }
}

TEST_CASE("plain kernels without the faults are clean", "[candidate]") {
    for (const Fault& fault : faults) {
        CAPTURE(fault.kernel);
        for (const Finding& finding : findings_of(fault, true))
            FAIL_CHECK(describe(finding.kind) << " " << finding.sites << finding.sentence);
    }
}

TEST_CASE("a plain kernel that never ends is ended, and its line named", "[candidate]") {
    const KernelText file(
        "// camber: spin(in, out) block=32x1\n"
        "__global__ void spin(const unsigned* in, unsigned* out) {\n"
        "    while (in[threadIdx.x] < 2) {\n"
        "    }\n"
        "    out[threadIdx.x] = 0;\n"
        "}\n");
    const Workload& life = *find_workload("life");
    const Variant variant =
        candidate_variant(file.path(), life, ElementType::uint32, uncached(0.2));
    const Problem problem{{32, 1}, Boundary::dead, ElementType::uint32, {}};
    simt::HostQueue queue(1);
    queue.set_label("spinning");
    const auto execution = variant.factories.at(Backend::simt)(queue, problem);
    execution->upload(life.initial({.size = problem.size}));
    try {
        execution->advance(1);
        queue.synchronize();
        FAIL("it ended");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::wrong_result);
        CHECK_THAT(error.what(), contains("spinning (spin): block (0,0) thread (0,0): its block "
                                          "has run for 0.2 s and has not ended"));
        CHECK_THAT(error.what(), contains("[kernel.cu:3]"));
    }
}

TEST_CASE("what a plain kernel may not touch is named", "[candidate]") {
    const Workload& life = *find_workload("life");
    const auto sentence_of = [&](const std::string& line) {
        const KernelText file(
            "// camber: step(in, out, pitch) block=32x1 halo=1\n"
            "__shared__ float tile[40];\n"
            "__global__ void step(const unsigned* in, unsigned* out, int pitch) {\n" +
            line + "\n}\n");
        const Problem problem{{32, 3}, Boundary::dead, ElementType::uint32, {}};
        const auto found =
            check_variant(file.variant(), problem, life.initial({.size = problem.size}), 1, 1)
                .findings;
        return found.empty() ? std::string() : found.front().sentence;
    };
    CHECK_THAT(
        sentence_of("out[threadIdx.x] = in[-2 * pitch];"),
        contains("accesses row -2, column 0 of field `cells`") || contains("before the start"));
    CHECK_THAT(sentence_of("out[threadIdx.x] = *(const unsigned*)16;"),
               contains("at an address in none of its fields") && contains("[kernel.cu:4]"));
    CHECK_THAT(sentence_of("tile[threadIdx.x + 20] = 1; out[threadIdx.x] = in[0];"),
               contains("accesses shared memory beyond the end of `tile`"));
    CHECK(sentence_of("out[threadIdx.x] = in[threadIdx.x];").empty());
}

}  // namespace camber::plain_faults_test
