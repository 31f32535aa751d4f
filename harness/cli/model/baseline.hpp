// The committed model of every variant, against which each change is compared.
#pragma once

#include <string>

namespace camber {

// Predicts every registered variant of every workload on small boards, one that the blocks divide
// and one that they do not, by the rules of sm_90, and writes the document: a file of `camber model
// --json` without call sites and bounds, one model per line with sorted keys, the same on every
// machine. Compare it with `camber compare`.
std::string model_baseline();

}  // namespace camber
