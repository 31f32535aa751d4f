// Catch2 under one set of names: 2.x (Debian 12) and 3.x differ in headers, in some matchers and in
// what they know of skipped tests.
#pragma once

#include <cstdlib>
#include <set>
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

namespace camber {

#if __has_include(<catch2/catch.hpp>)
// Why tests of this run were skipped.
inline std::set<std::string>& skipped_tests() {
    static std::set<std::string> reasons;
    return reasons;
}
#endif

// Ends a test case, or this pass through it, without failure. CTest reports the test as skipped
// where nothing fails in other passes.
[[noreturn]] inline void skip_test(const std::string& reason) {
#if __has_include(<catch2/catch.hpp>)
    skipped_tests().insert(reason);
    throw Catch::TestFailureException();  // what ends a test case after a failure has been told
#else
    SKIP(reason);
    std::abort();  // SKIP() throws, but does not say so
#endif
}

}  // namespace camber
