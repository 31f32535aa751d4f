// Facts of the host, from an artificial system and from this one.
#include "harness/machine/environment/host.hpp"

#include <unistd.h>

#include "tests/catch.hpp"
#include "tests/harness/record/results_file_fixture.hpp"

namespace host_test {

using camber::host_facts;
using camber::HostFacts;
using namespace camber::results_test;

namespace {

void write_file(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    write_text(path, text);
}

}  // namespace

TEST_CASE("host: a machine of two sockets that tells all") {
    const TestFolder root;
    std::string processors;
    int number = 0;
    for (const char* socket : {"0", "1"})
        for (const char* core : {"0", "4", "0", "4"})  // two threads per core
            processors += "processor\t: " + std::to_string(number++) +
                          "\nmodel name\t: Some CPU @ 2.00GHz\nphysical id\t: " + socket +
                          "\ncore id\t\t: " + core + "\n\n";
    write_file(root / "proc/cpuinfo", processors);
    write_file(root / "proc/meminfo", "MemTotal:       2048 kB\nMemFree: 1 kB\n");
    write_file(root / "proc/sys/kernel/osrelease", "6.1.0-13-amd64\n");
    write_file(root / "etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n");
    write_file(root / "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
    for (const char* node : {"node0", "node1", "node10", "power", "node", "nodes"})
        fs::create_directories(root / "sys/devices/system/node" / node);

    const HostFacts facts = host_facts(root.path());
    CHECK(facts.cpu_model == "Some CPU @ 2.00GHz");
    CHECK(facts.logical_cpus == 8);
    CHECK(facts.physical_cores == 4);
    CHECK(facts.numa_nodes == 3);
    CHECK(facts.frequency_governor == "performance");
    CHECK(facts.kernel == "6.1.0-13-amd64");
    CHECK(facts.distribution == "Debian GNU/Linux 12");
    CHECK(facts.memory_bytes == 2048 * 1024);
}

TEST_CASE("host: what the system does not tell is absent") {
    const TestFolder root;
    write_file(root / "proc/cpuinfo", "processor : 0\nBogoMIPS : 50\n");
    write_file(root / "proc/meminfo", "MemTotal: plenty\n");
    write_file(root / "etc/os-release", "PRETTY_NAME=\"\"\n");
    write_file(root / "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "\n");
    const HostFacts facts = host_facts(root.path());
    CHECK(facts.logical_cpus == 1);
    CHECK_FALSE(facts.cpu_model);
    CHECK_FALSE(facts.physical_cores);
    CHECK_FALSE(facts.numa_nodes);
    CHECK_FALSE(facts.frequency_governor);
    CHECK_FALSE(facts.kernel);
    CHECK_FALSE(facts.distribution);
    CHECK_FALSE(facts.memory_bytes);
}

TEST_CASE("host: this machine") {
    const HostFacts facts = host_facts();
    CHECK(facts.logical_cpus == sysconf(_SC_NPROCESSORS_ONLN));
    REQUIRE(facts.memory_bytes);
    CHECK(*facts.memory_bytes > (std::int64_t{64} << 20));
    REQUIRE(facts.kernel);
    CHECK_FALSE(facts.kernel->empty());
}

}  // namespace host_test
