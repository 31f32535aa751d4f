// Catch2 under one set of names: 2.x (Debian 12) and 3.x differ in headers and in some matchers.
#pragma once

#include <string>

#if __has_include(<catch2/catch.hpp>)
    #include <catch2/catch.hpp>
#else
    #include <catch2/catch_all.hpp>
using Catch::Approx;
#endif

// A matcher for a string that has `text` in it.
inline auto contains(const std::string& text) {
#if __has_include(<catch2/catch.hpp>)
    return Catch::Matchers::Contains(text);
#else
    return Catch::Matchers::ContainsSubstring(text);
#endif
}
