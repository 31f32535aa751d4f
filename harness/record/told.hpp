// What a file may say or not.
#pragma once

#include <optional>

namespace camber::results {

// Of facts that were added to the format later and that may be unknown: nothing, where the file
// does not say; null within, where it says that nobody knows; else the value.
template <class T>
using Told = std::optional<std::optional<T>>;

// The value, where there is one.
template <class T>
std::optional<T> known(const Told<T>& told) {
    return told.value_or(std::nullopt);
}

}  // namespace camber::results
