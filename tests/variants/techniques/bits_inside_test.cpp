// bits_inside: cells of 4 bytes and 1 byte are bit-equal to the reference, and kernels are free of
// races, on boards that end within a pack, a strip or a block's share of the columns.
#include "variants/techniques/bits_inside.hpp"

#include "harness/measure/case_runner.hpp"
#include "harness/predict/check_variant.hpp"
#include "tests/catch.hpp"
#include "workloads/life/bits.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::bits_inside_test {
namespace {

template <class T>
constexpr ElementType cell_type = sizeof(T) == 1 ? ElementType::uint8 : ElementType::uint32;

// Variants of the technique with short stretches, and several shares of generations per warp.
struct SmallStretches {
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        catalogue.add(BitsInsideCells::info, BitsInsideCells::variant<Rule, 1, 4>(20));
        catalogue.add(BitsInsideCells::info, BitsInsideCells::variant<Rule, 2, 4>(33));
        catalogue.add(BitsInsideCells::info, BitsInsideCells::variant<Rule, 4, 2>(40));
        catalogue.add(BitsInsideCells::info, BitsInsideCells::variant<Rule, 8, 1>(16));
    }
};

// Registered by itself, not as an addition to variants for the usual rule.
template <class T, class Bits>
struct AnyRule : LifeInBits<T, Bits> {
    static constexpr Rules rules = Rules::any;
};

template <class T, class Bits>
void check(Size size, Boundary boundary, const std::string& rule) {
    Registry local;
    Catalogue<AnyRule<T, Bits>> catalogue(local, "life", cell_type<T>);
    SmallStretches::add(catalogue);
    for (const Variant& variant : local.variants()) {
        CAPTURE(variant.info.name(), size.columns, size.rows, name(boundary), rule);
        Study study;
        study.workload = find_workload("life");
        study.problem = {size, boundary, cell_type<T>};
        study.problem.parameters.set_rule(rule);
        study.initial = {.size = size, .cell = cell_type<T>, .seed = 7};
        study.generations = 2 * variant.info.shape.generations;
        study.backend = Backend::simt;
        study.time = false;
        CaseRunner runner(study);
        const CaseResult result = runner.run(variant);
        INFO(result.record.reason);
        CHECK(result.record.status == results::Status::ok);
        REQUIRE(result.record.verification);
        CHECK(result.record.verification->compared_cells ==
              static_cast<std::int64_t>(size.columns) * size.rows);

        const CheckResult checked =
            check_variant(variant, study.problem, study.workload->initial(study.initial),
                          variant.info.shape.generations, 1);
        INFO(describe(checked));
        CHECK(checked.clean());
    }
}

template <class T>
void check_boards() {
    for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
        for (const Size size :
             {Size{1, 1}, Size{3, 70}, Size{131, 37}, Size{4100, 41}, Size{8192, 17}})
            check<T, LifeBits<1>>(size, boundary, "");
    }
}

}  // namespace

TEST_CASE("cells of 4 bytes computed on bits are right", "[variants][bits_inside]") {
    check_boards<std::uint32_t>();
}

TEST_CASE("cells of 1 byte computed on bits are right", "[variants][bits_inside]") {
    check_boards<std::uint8_t>();
}

// Births from nothing detect cells beyond the edge that take part by mistake.
TEST_CASE("rules that give birth to cells from nothing are right", "[variants][bits_inside]") {
    for (const Boundary boundary : {Boundary::dead, Boundary::torus})
        for (const char* rule : {"B36/S23", "B0246/S1357"})
            check<std::uint32_t, LifeLikeBits<1>>({131, 37}, boundary, rule);
}

}  // namespace camber::bits_inside_test
