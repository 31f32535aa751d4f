// Memory of fields on the host.
#include <algorithm>
#include <span>
#include <utility>

#include "harness/base/state.hpp"
#include "tests/catch.hpp"

namespace camber::cell_memory_test {
namespace {

std::span<std::byte> bytes(CellMemory& memory) {
    return {memory.data(), memory.size()};
}

// Sizes that one thread copies, and one that all threads copy, with a smaller last piece.
constexpr std::size_t sizes[] = {0, 1, 1000, (std::size_t{65} << 20) + 3};

TEST_CASE("a field's memory begins as zeros and is copied whole", "[cell_memory]") {
    for (const std::size_t size : sizes) {
        CellMemory memory(size);
        REQUIRE(memory.size() == size);
        CHECK(std::ranges::all_of(bytes(memory), [](std::byte b) { return b == std::byte{0}; }));
        for (std::size_t i = 0; i < size; i += 997) memory.data()[i] = static_cast<std::byte>(i);
        if (size > 0) memory.data()[size - 1] = std::byte{7};
        CellMemory copy(memory);
        CHECK(std::ranges::equal(bytes(copy), bytes(memory)));
        CellMemory other(size / 2);
        other = memory;
        CHECK(std::ranges::equal(bytes(other), bytes(memory)));
        std::ranges::fill(bytes(copy), std::byte{1});
        const std::byte* const place = copy.data();
        copy = memory;
        CHECK(copy.data() == place);
        CHECK(std::ranges::equal(bytes(copy), bytes(memory)));
        const CellMemory moved = std::move(copy);
        CHECK(moved.data() == place);
    }
}

}  // namespace
}  // namespace camber::cell_memory_test
