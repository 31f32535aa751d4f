#include "harness/cli/run/printing.hpp"
#include "tests/catch.hpp"

namespace camber::account_table_test {
namespace {

TEST_CASE("the printed account adds up what lies between its lines", "[ledger][table]") {
    const std::vector<results::AccountRow> account = {
        {0, {{"rained", 0}, {"lost", 0}}, "mass", 1, 0},
        {1, {{"rained", 2}, {"lost", 0.5}}, "mass", 3, 0},
        {2, {{"rained", 3}, {"lost", 0.25}}, "mass", 6, 1e-9},
        {3, {{"rained", 4}, {"lost", 0.125}}, "mass", 10, 0}};
    const std::string expected =
        "generation          rained            lost            mass     unaccounted\n"
        "         1        2.000000        0.500000        3.000000         0.0e+00\n"
        "         3        7.000000        0.375000       10.000000         1.0e-09\n"
        "       all        9.000000        0.875000       10.000000         1.0e-09\n";
    CHECK(account_table(account, 2) == expected);
}

TEST_CASE("nothing is printed where no account is kept", "[ledger][table]") {
    CHECK(account_table({}).empty());
}

}  // namespace
}  // namespace camber::account_table_test
