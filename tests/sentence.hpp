// Error text as the user sees it: the fact, and the option that resolves it.
#pragma once

#include <string>

#include "harness/cli/common/messages.hpp"

// Text of the Error that `f` throws; "" if it throws none.
template <class F>
std::string sentence_of(const F& f) {
    try {
        f();
    } catch (const camber::Error& error) {
        return camber::sentence(error);
    }
    return "";
}
