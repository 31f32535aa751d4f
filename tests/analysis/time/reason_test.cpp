#include "analysis/time/reason.hpp"

#include <algorithm>

#include "tests/analysis/time/fixtures.hpp"
#include "tests/catch.hpp"

namespace camber::reason_test {
namespace {

NamedTime plain() {
    return {"life/plain", kernel_time(plain_kernel(), round_machine()), 1};
}

// The same with many passes over the banks.
NamedTime tiled() {
    KernelWork work = plain_kernel();
    work.counts.counts.shared_load = SharedCounts{{30 * 800000, 30 * 800000}, 30 * 800000};
    work.code.instructions["shared_loads"] = 30;
    work.code.instructions["total"] += 30;
    return {"life/tiled", kernel_time(work, round_machine()), 1};
}

}  // namespace

TEST_CASE("what parts contribute adds up to the difference", "[time]") {
    const auto parts = contributions(plain(), tiled());
    double sum = 0;
    for (const auto& [resource, seconds] : parts) sum += seconds;
    CHECK(sum == Approx(tiled().seconds() - plain().seconds()));
    const auto largest =
        std::ranges::max_element(parts, {}, [](const auto& p) { return p.second; });
    CHECK(largest->first == TimeResource::l1);
}

TEST_CASE("the sentence names the faster one, by how much, and why", "[time]") {
    const std::string sentence = reason(tiled(), plain());
    CHECK(sentence.starts_with("life/plain is "));
    CHECK(sentence.find("per generation") != std::string::npos);
    CHECK(sentence.find("per generation. life/tiled has ") != std::string::npos);
    CHECK(reason(plain(), tiled()) == sentence);
}

TEST_CASE("two of the same time are told to be so", "[time]") {
    CHECK(reason(plain(), plain()).find("take the same time") != std::string::npos);
}

TEST_CASE("a launch of two generations is compared by one", "[time]") {
    NamedTime two = plain();
    two.name = "life/two";
    two.generations = 2;
    CHECK(reason(plain(), two).starts_with("life/two is "));
}

TEST_CASE("doubts are told", "[time]") {
    NamedTime doubtful = tiled();
    doubtful.time.doubts = {"its counts are a sample's"};
    CHECK(reason(plain(), doubtful)
              .ends_with(
                  "The predicted time of life/tiled is uncertain: its counts are a sample's."));
}

}  // namespace camber::reason_test
