// bit_pair: for any ratio of the two warps' speeds, cells are bit-equal to the reference, and every
// row is computed by exactly one of them.
#include "variants/techniques/bit_pair.hpp"

#include <atomic>

#include "harness/measure/case_runner.hpp"
#include "harness/predict/check_variant.hpp"
#include "tests/catch.hpp"
#include "workloads/life/bits.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::bit_pair_test {
namespace {

enum class Slow { none, downwards, upwards };

// Number of words that the warps of each direction have computed.
std::atomic<std::int64_t> words_downwards;
std::atomic<std::int64_t> words_upwards;

// Life with a detour that slows the warps of one direction: the executor runs each warp up to its
// next shuffle.
template <Slow slow, int detours>
struct DetouredLife : LifeBits<words_per_lane> {
    struct Adder : LifeBits::Adder {
        Word next_of(RowSum above, RowSum own, RowSum below, Word self, Word ones) const {
            const bool upwards = threadIdx.x / 32u >= quarters;
            ++(upwards ? words_upwards : words_downwards);
            if (slow == (upwards ? Slow::upwards : Slow::downwards))
                for (int i = 0; i < detours; ++i) __shfl_sync(0xffffffffu, self, 0);
            return LifeBits::Adder::next_of(above, own, below, self, ones);
        }
    };
    static Adder adder(const Parameters&) { return {}; }
};

struct Split {
    double upwards;  // share of all words
    bool right;      // all cells are correct
    bool clean;      // no races
};

template <Slow slow, int detours>
Split run(Size size, Boundary boundary) {
    Registry local;
    Catalogue<DetouredLife<slow, detours>> catalogue(local, "life", ElementType::bits);
    BitPairs::add(catalogue);
    const Variant& variant = local.variants().front();
    REQUIRE(variant.info.name() == "life/bit_pair/256x1/s4/n8/r128/p4/align128");

    Study study;
    study.workload = find_workload("life");
    study.problem = {size, boundary, ElementType::bits};
    study.initial = {.size = size, .cell = ElementType::bits, .seed = 11};
    study.generations = 16;
    study.backend = Backend::simt;
    study.time = false;
    CaseRunner runner(study);
    words_downwards = words_upwards = 0;
    const CaseResult result = runner.run(variant);
    INFO(result.record.reason);
    REQUIRE(result.record.verification);
    CHECK(result.record.verification->compared_cells ==
          static_cast<std::int64_t>(size.columns) * size.rows);
    const double up = static_cast<double>(words_upwards);
    const double all = up + static_cast<double>(words_downwards);

    const CheckResult checked =
        check_variant(variant, study.problem, study.workload->initial(study.initial), 8, 1);
    INFO(describe(checked));
    return {up / all, result.record.status == results::Status::ok, checked.clean()};
}

template <Slow slow, int detours>
Split over_all_boards() {
    double most = 0;
    double least = 1;
    for (const Boundary boundary : {Boundary::dead, Boundary::torus})
        for (const Size size : {Size{4000, 150}, Size{130, 127}, Size{33, 7}}) {
            CAPTURE(size.columns, size.rows, boundary == Boundary::torus);
            const Split split = run<slow, detours>(size, boundary);
            CHECK(split.right);
            CHECK(split.clean);
            if (size.rows < 100) continue;
            most = std::max(most, split.upwards);
            least = std::min(least, split.upwards);
        }
    return {slow == Slow::upwards ? most : least, true, true};
}

}  // namespace

TEST_CASE("two warps that are equally fast meet in the middle", "[variants][bits]") {
    const Split split = over_all_boards<Slow::none, 0>();
    CHECK(split.upwards > 0.45);
    CHECK(split.upwards < 0.55);
}

TEST_CASE("of two warps the faster one takes rows of the other", "[variants][bits]") {
    // Both warps begin with 24 of 128 + 2 * 24 rows, after which they request their first rows.
    CHECK(over_all_boards<Slow::upwards, 1>().upwards < 0.35);
    CHECK(over_all_boards<Slow::downwards, 1>().upwards > 0.65);
    CHECK(over_all_boards<Slow::upwards, 8>().upwards < 0.25);
    CHECK(over_all_boards<Slow::downwards, 8>().upwards > 0.75);
}

}  // namespace camber::bit_pair_test
