// Catch2 2.x (Debian 12) and 3.x under one set of names. The versions differ in headers, in some
// matchers and in their support for skipped tests.
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

// Matches a string that contains `text`.
inline auto contains(const std::string& text) {
#if __has_include(<catch2/catch.hpp>)
    return Catch::Matchers::Contains(text);
#else
    return Catch::Matchers::ContainsSubstring(text);
#endif
}

namespace camber {

#if __has_include(<catch2/catch.hpp>)
// Reasons for skipping tests of this run.
inline std::set<std::string>& skipped_tests() {
    static std::set<std::string> reasons;
    return reasons;
}
#endif

// Ends a test case, or one pass through it, without failure. CTest reports the test as skipped if
// no other pass fails.
[[noreturn]] inline void skip_test(const std::string& reason) {
#if __has_include(<catch2/catch.hpp>)
    skipped_tests().insert(reason);
    // Catch itself throws this to end a test case after it has reported a failure.
    throw Catch::TestFailureException();
#else
    SKIP(reason);
    std::abort();  // SKIP() throws, but is not declared as [[noreturn]]
#endif
}

}  // namespace camber
