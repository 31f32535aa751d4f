// Techniques do not depend on the Game of Life: they compute a rule with two inputs and two outputs
// as the reference does.
#include <cstdint>
#include <string>
#include <utility>

#include "harness/machine/simt/host_queue.hpp"
#include "tests/catch.hpp"
#include "tests/variants/two_fields_rule.hpp"
#include "variants/techniques/global.hpp"
#include "variants/techniques/halo.hpp"
#include "variants/techniques/shared_tile.hpp"
#include "workloads/core/reference.hpp"
#include "workloads/core/state_cells.hpp"

namespace camber::two_fields_test {
namespace {

State initial_state(Size size) {
    State state;
    state.fields = {{"temperature", ElementType::float32, size},
                    {"material", ElementType::uint8, size},
                    {"mark", ElementType::int32, size}};
    for (std::int64_t i = 0; i < size.cells(); ++i) {
        state.fields[0].cells<float>()[i] = static_cast<float>(mix(1, i) >> 50) - 8000;
        state.fields[1].cells<std::uint8_t>()[i] = static_cast<std::uint8_t>(mix(2, i) >> 56);
        state.fields[2].cells<std::int32_t>()[i] = -1;
    }
    return state;
}

template <class Rule>
State expected(const State& initial, Boundary boundary, int generations) {
    State now = initial, next = initial;
    for (int g = 0; g < generations; ++g) {
        reference_step<Rule>(now, next, {boundary});
        std::swap(now, next);
    }
    return now;
}

// The first difference in words; "" if every byte is equal.
std::string difference(const State& got, const State& wanted) {
    for (const HostField& field : wanted.fields) {
        const auto a = got.field(field.name()).bytes();
        const auto b = field.bytes();
        const std::size_t size = info(field.element()).size;
        for (std::size_t i = 0; i < b.size(); ++i)
            if (a[i] != b[i])
                return field.name() + " at cell " + std::to_string(i / size) + " of " +
                       std::to_string(b.size() / size);
    }
    return "";
}

template <class Rule>
Registry all_of() {
    Registry registry;
    Catalogue<Rule> catalogue(registry, "two_fields", ElementType::float32);
    Global::add(catalogue);
    Halo::add(catalogue);
    SharedTile::add(catalogue);
    TwoElement::add(catalogue);
    return registry;
}

constexpr int generations = 3;

template <class Rule>
void check_all_variants() {
    const Registry registry = all_of<Rule>();
    REQUIRE(registry.variants().size() > 15);
    simt::HostQueue queue(1);
    for (const Size size : {Size{1, 1}, Size{3, 5}, Size{33, 17}, Size{130, 9}})
        for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
            const State initial = initial_state(size);
            const State wanted = expected<Rule>(initial, boundary, generations);
            for (const Variant& variant : registry.variants()) {
                INFO(variant.info.name() << " on " << size.columns << "x" << size.rows
                                         << (boundary == Boundary::torus ? " torus" : " dead"));
                const Problem problem{size, boundary, ElementType::float32};
                REQUIRE(reason_to_skip(variant, problem, generations, queue.limits(),
                                       Backend::simt) == std::nullopt);
                queue.set_label(variant.info.name());
                const auto execution = variant.factories.at(Backend::simt)(queue, problem);
                State got = initial;
                execution->upload(initial);
                for (int g = 0; g < generations; ++g) {
                    execution->poison(Poison::first);
                    execution->advance(1);
                }
                execution->download(got);
                REQUIRE(difference(got, wanted) == "");
            }
        }
}

TEST_CASE("techniques compute a neighbourhood beside an own cell", "[variants][two_fields]") {
    check_all_variants<TwoFields<1, 0>>();
}

TEST_CASE("techniques compute neighbourhoods of two widths", "[variants][two_fields]") {
    check_all_variants<TwoFields<2, 1>>();
    check_all_variants<TwoFields<1, 2>>();
}

TEST_CASE("a field read at its own cell only takes no shared memory", "[variants][two_fields]") {
    const auto bytes_of_16x16 = []<class Rule>(Rule) {
        const Registry registry = all_of<Rule>();
        for (const Variant& variant : registry.variants())
            if (variant.info.technique.name == "shared_tile" &&
                variant.info.path().starts_with("16x16"))
                return variant.info.shape.shared_bytes;
        return std::size_t{0};
    };
    CHECK(bytes_of_16x16(TwoFields<1, 0>{}) == 18 * 18 * 4);
    CHECK(bytes_of_16x16(TwoFields<2, 1>{}) == 20 * 20 * (4 + 1));
}

TEST_CASE("the two-field rule depends on all that it reads", "[variants][two_fields]") {
    using Rule = TwoFields<2, 1>;
    const Size size{9, 9};
    const State initial = initial_state(size);
    const State before = expected<Rule>(initial, Boundary::dead, 1);
    // The center's new values change with its neighbors, not with cells beyond the radius.
    const auto centre_changes = [&](const char* field, int column, int row) {
        State changed = initial;
        HostField& cells = changed.field(field);
        const std::size_t bytes = info(cells.element()).size;
        cells.bytes()[(row * 9 + column) * bytes + bytes - 1] ^= std::byte{0x80};
        const State after = expected<Rule>(changed, Boundary::dead, 1);
        return after.fields[0].cells<float>()[40] != before.fields[0].cells<float>()[40] ||
               after.fields[2].cells<std::int32_t>()[40] !=
                   before.fields[2].cells<std::int32_t>()[40];
    };
    CHECK(centre_changes("temperature", 2, 4));
    CHECK(centre_changes("temperature", 4, 6));
    CHECK_FALSE(centre_changes("temperature", 7, 4));
    CHECK(centre_changes("material", 3, 5));
    CHECK_FALSE(centre_changes("material", 6, 4));
    CHECK(expected<Rule>(initial, Boundary::torus, 1).fields[0].cells<float>()[0] !=
          before.fields[0].cells<float>()[0]);
}

}  // namespace
}  // namespace camber::two_fields_test
