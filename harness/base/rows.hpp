// A range of a board's rows.
#pragma once

namespace camber {

struct Rows {
    int first = 0;  // negative in the halo
    int end = 0;    // behind the last one

    constexpr int count() const { return end > first ? end - first : 0; }
    friend constexpr bool operator==(const Rows&, const Rows&) = default;
};

}  // namespace camber
