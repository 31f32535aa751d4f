// Stack switches and fibers.
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/machine/simt/fibre.hpp"
#include "tests/catch.hpp"

namespace camber::simt {
namespace stack_switch_test {

#if !defined(__SANITIZE_ADDRESS__)  // AddressSanitizer must be notified of every switch

struct Shared {
    StackPosition outside = nullptr, inside = nullptr;
    double root = 1.5;
    int caught = 0;
};

// Keeps values in registers of both kinds across switches, and throws exceptions in between.
void body(void* argument) {
    Shared& shared = *static_cast<Shared*>(argument);
    double root = shared.root;
    for (int i = 0;; ++i) {
        root = std::sqrt(root + i % 7);
        shared.root = root;
        try {
            if (i % 10 == 3) throw std::runtime_error(std::to_string(i));
        } catch (const std::runtime_error& error) {
            if (error.what() == std::to_string(i)) ++shared.caught;
        }
        switch_stack(&shared.inside, shared.outside);
    }
}

TEST_CASE("both sides of a stack switch keep their values and exceptions", "[simt]") {
    std::vector<char> memory(64 * 1024);
    Shared shared;
    shared.inside = prepare_stack(memory.data(), memory.size(), body, &shared);
    double root = shared.root;
    int differing = 0;
    for (int i = 0; i < 100; ++i) {
        root = std::sqrt(root + i % 7);
        switch_stack(&shared.outside, shared.inside);
        if (shared.root != root) ++differing;
    }
    CHECK(differing == 0);
    CHECK(shared.caught == 10);
}

#endif

TEST_CASE("a fibre's stack is used again, and a fibre that never ran is dropped", "[simt]") {
    StackPool pool;
    const Stack first = pool.take();
    pool.give_back(first);
    int runs = 0, unwound = 0;
    struct Guard {
        int* count;
        ~Guard() { ++*count; }
    };
    for (int i = 0; i < 3; ++i) {
        const void* seen = nullptr;
        {
            Fibre never(pool, [&] { ++runs; });
        }
        Fibre* self = nullptr;
        Fibre stopped(pool, [&] {
            const Guard guard{&unwound};
            ++runs;
            // No local variable: AddressSanitizer may place it elsewhere.
            seen = __builtin_frame_address(0);
            if (!self->rest()) throw Fibre::Cancelled{};
            ++runs;
        });
        self = &stopped;
        stopped.resume();
        CHECK((seen > first.bottom && seen < static_cast<char*>(first.bottom) + first.bytes));
    }
    CHECK(runs == 3);
    CHECK(unwound == 3);
}

TEST_CASE("an abandoned fibre is not resumed, and its stack is used again", "[simt]") {
#if !defined(__SANITIZE_ADDRESS__)  // there, every body returns
    StackPool pool;
    int steps = 0;
    const void* seen[2] = {};
    for (const void*& place : seen) {
        Fibre* self = nullptr;
        Fibre left(pool, [&] {
            const int here = steps;
            place = &here;
            do ++steps;
            while (self->rest());
            steps += 100;
        });
        self = &left;
        left.resume();
        left.resume();
        left.abandon();
    }
    CHECK(steps == 4);
    CHECK(seen[0] == seen[1]);
#endif
}

TEST_CASE("a fibre continues another one, which leads back to the first one's caller", "[simt]") {
    StackPool pool;
    std::string order;
    Fibre* fibres[3] = {};
    const auto body = [&](int number) {
        for (;;) {
            order += std::to_string(number);
            Fibre& self = *fibres[number];
            if (!(number == 2 ? self.rest() : self.pass_to(*fibres[number + 1]))) {
                order += "c";
                return;
            }
        }
    };
    {
        Fibre first(pool, [&] { body(0); });
        Fibre second(pool, [&] { body(1); });
        Fibre third(pool, [&] { body(2); });
        fibres[0] = &first;
        fibres[1] = &second;
        fibres[2] = &third;
        first.resume();
        order += "|";
        second.resume();
        order += "|";
        first.resume();
        CHECK(order == "012|12|012");
    }
    CHECK(order == "012|12|012ccc");
}

}  // namespace stack_switch_test
}  // namespace camber::simt
