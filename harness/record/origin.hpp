// Whether results may stand side by side as one measurement.
#pragma once

#include <string>

#include "harness/record/context.hpp"

namespace camber::results {

// How the program and the card behind two runs differ, in words: "commit 1a2b3c4d5e6f against
// 0f9e8d7c6b5a", "NVIDIA H100 against NVIDIA H200". "" where commit, build, card, driver and CUDA
// are the same; without a card, the processor counts.
std::string difference_of_origin(const Run& before, const Run& now);

// "156e18d0c9aa", with uncommitted changes " (dirty)"; "unknown" where the build did not say.
std::string commit_text(const Run& run);

}  // namespace camber::results
