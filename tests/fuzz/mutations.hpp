// Damaged versions of files, as produced by disks, copies, editors and other programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace camber::fuzz {

// Random numbers that are the same with every standard library.
class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : engine_() % limit; }
    bool one_in(std::size_t count) { return below(count) == 0; }
    template <class Container>
    const auto& pick(const Container& from) {
        return from[below(from.size())];
    }

  private:
    std::mt19937_64 engine_;
};

// Returns the text with one to four defects: truncation, flipped bytes, deleted or repeated parts
// and lines, a NUL, control characters, bytes that are not UTF-8, replaced numbers, or a part of
// another seed.
std::string mutated_text(const std::string& seed, const std::vector<std::string>& seeds,
                         Random& random);

// Returns the JSON text with one to four of its values, keys or numbers replaced, removed or
// repeated. A seed that is not JSON is returned unchanged.
std::string mutated_json(const std::string& seed, Random& random);

}  // namespace camber::fuzz
