// The order of the cases is random, and reproducible from its seed.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "harness/measure/study.hpp"
#include "tests/catch.hpp"
#include "tests/kept_text.hpp"

namespace camber::order_test {
namespace {

struct Fixture {
    Fixture() : variants(20) {
        for (std::size_t i = 0; i < variants.size(); ++i) {
            variants[i].info.technique.name = kept("t" + std::to_string(i));
            study.variants.push_back(&variants[i]);
        }
        study.conditions = {{CacheState::hot, Submission::stream},
                            {CacheState::cold, Submission::stream}};
    }
    std::vector<std::string> order(int round = 0) const {
        std::vector<std::string> names;
        for (const Case& chosen : order_of_round(study, round))
            names.push_back(case_name(study, chosen));
        return names;
    }
    std::vector<Variant> variants;
    Study study;
};

TEST_CASE("each round visits every case once, in an order of its own", "[order]") {
    Fixture fixture;
    const auto first = fixture.order(0);
    const auto second = fixture.order(1);
    CHECK(first.size() == 40);
    CHECK(std::set(first.begin(), first.end()).size() == 40);
    CHECK(std::ranges::is_permutation(first, second));
    CHECK(first != second);
    CHECK(first == fixture.order(0));
}

TEST_CASE("the order depends on the seed and on the process", "[order]") {
    Fixture fixture;
    const auto order = fixture.order();
    fixture.study.process = 1;
    CHECK(fixture.order() != order);
    fixture.study.process = 0;
    fixture.study.order_seed = 2;
    CHECK(fixture.order() != order);
    fixture.study.order_seed = 1;
    CHECK(fixture.order() == order);
}

TEST_CASE("every place is equally likely for every case", "[order]") {
    Fixture fixture;
    fixture.study.conditions = {{}};
    constexpr int rounds = 4000;
    std::vector<int> places(20);
    for (int round = 0; round < rounds; ++round) {
        const auto cases = order_of_round(fixture.study, round);
        for (std::size_t place = 0; place < cases.size(); ++place)
            if (cases[place].variant == &fixture.variants[7]) ++places[place];
    }
    double chi_squared = 0;
    for (const int n : places) chi_squared += (n - rounds / 20.0) * (n - rounds / 20.0);
    chi_squared /= rounds / 20.0;
    CHECK(chi_squared < 43.8);  // 19 degrees of freedom, p = 0.001
}

TEST_CASE("where nothing is timed the order is that of the study", "[order]") {
    Fixture fixture;
    fixture.study.time = false;
    CHECK(order_of_round(fixture.study, 0)[2].variant == &fixture.variants[1]);
}

}  // namespace
}  // namespace camber::order_test
