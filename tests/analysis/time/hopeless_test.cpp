#include "analysis/time/hopeless.hpp"

#include "tests/analysis/time/fixtures.hpp"
#include "tests/catch.hpp"

namespace camber::hopeless_test {
namespace {

const Outlook quick{"life/quick", 1e-3, 0.9e-3, 1.2e-3, true};
const Outlook doubtful{"life/doubtful", 0.1e-3, 0.05e-3, 0.2e-3, false};

}  // namespace

TEST_CASE("others are compared with the certain one that ends earliest at worst", "[time]") {
    const Outlook vague{"life/vague", 0.95e-3, 0.5e-3, 1.3e-3, true};
    const std::vector<Outlook> all{doubtful, vague, quick};
    REQUIRE(best_outlook(all) == &all[2]);
    CHECK(best_outlook({doubtful}) == nullptr);
    CHECK(best_outlook({}) == nullptr);
    // With forms of one generation a launch, no form of several is compared.
    const Outlook several{"life/several", 0.1e-3, 0.1e-3, 0.1e-3, true, 8};
    const std::vector<Outlook> mixed{quick, several};
    CHECK(best_outlook(mixed) == &mixed[1]);
    CHECK(best_outlook(mixed, 8) == &mixed[1]);
    CHECK(best_outlook(mixed, 7) == &mixed[0]);
}

TEST_CASE("hopeless is what is slow at best, and certain", "[time]") {
    Outlook slow{"life/slow", 3e-3, 2.5e-3, 4e-3, true};
    CHECK(is_hopeless(slow, quick));
    slow.certain = false;
    CHECK_FALSE(is_hopeless(slow, quick));
    // Its usual time is far above, but it may be as quick.
    CHECK_FALSE(is_hopeless({"life/vague", 9e-3, 1.7e-3, 20e-3, true}, quick));
    CHECK_FALSE(is_hopeless(quick, quick));
}

TEST_CASE("why it is hopeless is said with both times", "[time]") {
    CHECK(why_hopeless({"life/slow", 3e-3, 2.5e-3, 4e-3, true}, quick) ==
          "predicted 3.000 ms per generation, at least 2.500 ms; life/quick is predicted 1.000 ms, "
          "at most 1.200 ms");
}

TEST_CASE("an outlook is of a generation, and has the prediction's doubts", "[time]") {
    PredictedTime time = kernel_time(plain_kernel(), round_machine());
    const Outlook of_four = outlook("life/plain", time, 4);
    CHECK(of_four.seconds == Approx(time.seconds / 4));
    CHECK(of_four.low == Approx(time.low / 4));
    CHECK(of_four.high == Approx(time.high / 4));
    time.doubts.emplace_back("its counts are a sample's");
    CHECK_FALSE(outlook("life/plain", time, 4).certain);
}

}  // namespace camber::hopeless_test
