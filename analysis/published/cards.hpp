// Results of several GPUs, sorted by the GPU.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/record/document.hpp"

namespace camber::published {

struct Card {
    std::string name;  // "H200"; "" where no document names a GPU
    std::vector<results::Document> documents;
};

// "NVIDIA H100 80GB HBM3" -> "H100", "NVIDIA GeForce RTX 4090" -> "RTX 4090".
std::string short_name(std::string_view gpu);

// In the order in which the GPUs are met. Two GPUs whose short names agree keep their long ones.
// Documents without a GPU, times of the CPU for example, stand with every card.
std::vector<Card> by_card(std::vector<results::Document> documents);

}  // namespace camber::published
