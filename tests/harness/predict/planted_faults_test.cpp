// The checker finds every planted fault at its source location, and reports nothing else.
#include "tests/harness/predict/planted_faults.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "harness/machine/simt/host_queue.hpp"
#include "harness/predict/access_checker.hpp"
#include "tests/catch.hpp"

namespace camber::planted_faults_test {
namespace {

std::vector<Finding> findings_of(void (*run)(Queue&)) {
    AccessChecker checker(2);
    simt::HostQueue queue(1);
    queue.set_observer(&checker);
    queue.executor().set_recorder(&checker);
    try {
        run(queue);
    } catch (const simt::KernelFault& fault) {
        checker.add(fault);
    }
    return checker.findings();
}

// "FILE:LINE" of the line marked `// line: MARK`.
std::string place(const std::string& mark) {
    const std::filesystem::path folder =
        std::filesystem::path(CAMBER_SOURCE_DIR) / "tests/harness/predict/faults";
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        std::ifstream source(file.path());
        std::string line;
        for (int number = 1; std::getline(source, line); ++number)
            if (line.ends_with("// line: " + mark))
                return file.path().filename().string() + ":" + std::to_string(number);
    }
    throw std::logic_error("no line is marked " + mark);
}

struct Expected {
    std::string sites;    // in the finding, or in its sentence
    std::string threads;  // in the first example
    std::string address;
};

std::map<std::string, Expected> expectations() {
    const auto pair = [](const std::string& first, const std::string& at, const std::string& second,
                         const std::string& then_at) {
        return first + " at " + place(at) + ", then " + second + " at " + place(then_at);
    };
    // "Then" refers to the executor's order, in which each thread runs up to the next barrier.
    return {
        {"shared_write_read",
         {pair("load", "shared_write_read load", "store", "shared_write_read store"),
          "block (0,0): thread (0,0) loads, thread (32,0) stores", "byte 128 of shared memory"}},
        {"shared_write_write",
         {pair("store", "shared_write_write", "store", "shared_write_write"),
          "block (0,0): thread (0,0) stores, thread (1,0) stores", "byte 0 of shared memory"}},
        {"shared_read_write",
         {pair("load", "shared_read_write load", "store", "shared_read_write store"),
          "block (0,0): thread (0,0) loads, thread (1,0) stores", "byte 4 of shared memory"}},
        {"shared_in_warp",
         {pair("load", "shared_in_warp load", "store", "shared_in_warp store"),
          "block (0,0): thread (0,0) loads, thread (1,0) stores", "byte 4 of shared memory"}},
        {"shared_atomic_and_store",
         {pair("atomic", "shared_atomic_and_store atomic", "store",
               "shared_atomic_and_store store"),
          "", "byte 0 of shared memory"}},
        {"shared_unwritten",
         {"load at " + place("shared_unwritten"), "block (0,0): thread (5,0) loads",
          "byte 20 of shared memory"}},
        {"blocks_write",
         {pair("store", "blocks_write", "store", "blocks_write"),
          "block (0,0) thread (0,0) stores, block (1,0) thread (0,0) stores",
          "row 0, column 0 of field `out`"}},
        {"blocks_exchange",
         {pair("load", "blocks_exchange load", "store", "blocks_exchange store"),
          "block (0,0) thread (63,0) loads, block (1,0) thread (0,0) stores",
          "row 0, column 64 of field `cells`"}},
        {"threads_exchange",
         {pair("load", "threads_exchange load", "store", "threads_exchange store"),
          "block (0,0): thread (0,0) loads, thread (32,0) stores",
          "row 0, column 32 of field `cells`"}},
        {"global_atomic_and_store",
         {pair("atomic", "global_atomic_and_store atomic", "store",
               "global_atomic_and_store store"),
          "block (0,0): thread (0,0) updates atomically, thread (1,0) stores",
          "row 0, column 1 of field `out`"}},
        {"global_unwritten",
         {"load at " + place("global_unwritten"), "block (0,0): thread (0,0) loads",
          "row 0, column 0 of field `from`"}},
        {"grid_out_of_bounds", {place("grid_out_of_bounds"), "thread (7,0)", "column 647"}},
        {"tile_out_of_bounds", {place("tile_out_of_bounds"), "thread (7,0)", "row 10, column 7"}},
        {"copy_read_early",
         {pair("store", "copy_read_early copy", "load", "copy_read_early load"),
          "block (0,0): thread (0,0) stores, thread (0,0) loads", "byte 128 of shared memory"}},
        {"copy_wrong_parity",
         {pair("store", "copy_wrong_parity copy", "load", "copy_wrong_parity load"),
          "block (0,0): thread (0,0) stores, thread (0,0) loads", "byte 128 of shared memory"}},
        {"copy_over_reads",
         {pair("store", "copy_over_reads copy", "load", "copy_over_reads load"),
          "block (0,0): thread (0,0) stores, thread (1,0) loads", "byte 128 of shared memory"}},
        {"copy_barrier_unordered",
         {pair("store", "copy_barrier_unordered init", "atomic", "copy_barrier_unordered wait"),
          "block (0,0): thread (0,0) stores, thread (1,0) updates atomically",
          "byte 0 of shared memory"}},
        {"copy_forgotten", {place("copy_forgotten"), "thread (0,0)", "256 bytes"}},
        {"copy_misaligned", {place("copy_misaligned"), "thread (0,0)", "12 bytes past"}},
        {"cluster_write_read",
         {pair("load", "cluster_write_read load", "store", "cluster_write_read store"),
          "block (0,0) thread (0,0) loads, block (1,0) thread (0,0) stores",
          "byte 0 of shared memory"}},
        {"cluster_read_write",
         {pair("store", "cluster_read_write store", "load", "cluster_read_write load"),
          "block (0,0) thread (0,0) stores, block (1,0) thread (0,0) loads",
          "byte 0 of shared memory"}},
        {"cluster_unwritten",
         {"load at " + place("cluster_unwritten"), "block (0,0): thread (0,0) loads",
          "byte 0 of shared memory"}},
        {"cluster_exchange",
         {pair("store", "cluster_exchange store", "load", "cluster_exchange load"),
          "block (0,0) thread (0,0) stores, block (1,0) thread (0,0) loads",
          "row 0, column 0 of field `cells`"}},
        {"cluster_not_begun",
         {place("cluster_not_begun"), "block (0,0) thread (0,0)", "block (1,0) before"}},
        {"cluster_has_ended",
         {place("cluster_has_ended"), "block (0,0) thread (63,0)", "block (1,0), which may"}},
        {"cluster_no_such_rank",
         {place("cluster_no_such_rank"), "block (0,0) thread (0,0)", "block 2 of a cluster"}},
        {"cluster_part_at_barrier",
         {place("cluster_part_at_barrier"), "1 of 2 blocks", "block (1,0) has returned"}},
        {"misaligned", {place("misaligned"), "thread (0,0)", "field `pairs`"}},
        {"barrier", {place("barrier"), "thread (40,0)", "40 of 64 threads"}},
    };
}

TEST_CASE("every planted fault is found with its sites, threads and address", "[check]") {
    const auto expected = expectations();
    CHECK(planted_faults().size() == expected.size());
    for (const PlantedFault& fault : planted_faults()) {
        CAPTURE(fault.name);
        const auto& [sites, threads, address] = expected.at(fault.name);
        const auto findings = findings_of(fault.run);
        bool found = false;
        for (const Finding& finding : findings) {
            CAPTURE(finding.sites, finding.sentence);
            if (finding.kind != fault.kind) continue;
            if (!finding.sentence.empty()) {
                CHECK_THAT(finding.sentence,
                           contains(sites) && contains(threads) && contains(address));
                found = true;
            } else if (finding.sites == sites) {
                REQUIRE(!finding.examples.empty());
                CHECK_THAT(finding.examples[0].threads, contains(threads));
                CHECK(finding.examples[0].address == address);
                CHECK(finding.count >= finding.examples.size());
                CHECK(finding.examples.size() <= 2);
                found = true;
            }
        }
        CHECK(found);
    }
}

TEST_CASE("their right counterparts are clean", "[check]") {
    for (const PlantedFault& fault : planted_faults()) {
        CAPTURE(fault.name);
        const auto findings = findings_of(fault.run_right);
        for (const Finding& finding : findings)
            FAIL_CHECK(describe(finding.kind) << " " << finding.sites << finding.sentence);
    }
}

TEST_CASE("counts are of accesses", "[check]") {
    const auto faults = planted_faults();
    const auto count = [&](const std::string& name) {
        const auto fault = std::ranges::find_if(
            faults, [&](const PlantedFault& planted) { return planted.name == name; });
        for (const Finding& finding : findings_of(fault->run))
            if (finding.kind == fault->kind) return finding.count;
        return std::uint64_t{0};
    };
    CHECK(count("shared_write_write") == 32);  // one per odd thread
    CHECK(count("blocks_write") == 64);        // one per thread of the second block
    CHECK(count("blocks_exchange") == 1);      // at one end; the other end is a separate finding
    CHECK(count("global_unwritten") == 64);
    CHECK(count("shared_unwritten") == 1);
}

}  // namespace
}  // namespace camber::planted_faults_test
