// What a user reads of an error: the fact, and the option that mends it.
#pragma once

#include <string>

#include "harness/cli/common/messages.hpp"

// Of the Error that `f` throws; "" where it throws none.
template <class F>
std::string sentence_of(const F& f) {
    try {
        f();
    } catch (const camber::Error& error) {
        return camber::sentence(error);
    }
    return "";
}
