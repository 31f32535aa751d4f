// Identity of kernels: names that stay the same from one compilation to the next, and a 128-bit hash
// of machine code.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace camber::binary {

// ---- names

// Replaces what nvcc derives from a source file's path and content in a mangled name, so that equal
// code in equal functions has an equal name: "_ZN36_GLOBAL__N__8c81b857_4_a_cu_ed5afa424anonEPf"
// becomes "_ZN12_GLOBAL__N_14anonEPf".
std::string stable_symbol(std::string_view symbol);

// Demangled stable_symbol(): "(anonymous namespace)::anon(float*)". The symbol itself if it is not
// mangled, or too long for the demangler.
std::string readable_name(std::string_view symbol);

// ---- hash

// FNV-1a of Fowler, Noll and Vo with 128 bits, by 64-bit words: equal code is recognized, and
// different code has the same hash with a probability of about 2^-128. It is no protection against
// an attacker.
class Hash {
  public:
    void add(std::uint64_t word) { state_ = (state_ ^ word) * prime; }
    // Adds the length, too, so that texts in a row cannot be confused.
    void add(std::string_view text) {
        add(text.size());
        while (text.size() >= sizeof(std::uint64_t)) add_word(text, sizeof(std::uint64_t));
        if (!text.empty()) add_word(text, text.size());
    }
    std::string digits() const {
        return fmt::format("{:016x}{:016x}", static_cast<std::uint64_t>(state_ >> 64),
                           static_cast<std::uint64_t>(state_));
    }

  private:
    __extension__ using Wide = unsigned __int128;

    void add_word(std::string_view& text, std::size_t bytes) {
        std::uint64_t word = 0;
        for (std::size_t k = bytes; k-- > 0;)
            word = word << 8 | static_cast<unsigned char>(text[k]);
        add(word);
        text.remove_prefix(bytes);
    }

    static constexpr Wide prime = (Wide(1) << 88) + 0x13b;
    Wide state_ = (Wide(0x6c62272e07bb0142) << 64) + 0x62b821756295c58d;
};

}  // namespace camber::binary
