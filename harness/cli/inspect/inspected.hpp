// Compiled code as the commands read it: inspected, with occupancy, and limited to chosen kernels; and
// the table of `camber inspect`.
#pragma once

#include <string>
#include <vector>

#include "harness/record/code_inspection.hpp"

namespace camber {

// Kernels and architectures that the user chose; empty lists choose all.
struct KernelChoice {
    std::vector<std::string> kernels;              // globs for names
    std::vector<std::string> architectures;        // "sm_90"
    std::vector<int> blocks{128, 256, 512, 1024};  // threads per block, for occupancy
};

// Name without return type and parameters: "gen<float>" for "void gen<float>(float*, int)".
std::string_view bare_kernel_name(std::string_view name);

// True if the file is compiled code, or an inspection of it as JSON.
bool is_inspectable(const std::string& path);

// Inspects the file, or reads an earlier inspection. Shows progress on a terminal. Throws
// Error(usage) if it cannot be read or if no kernel is chosen.
results::CodeInspection inspected(const std::string& path, const KernelChoice& choice);

// ---- table of `camber inspect`

// The kernels of each architecture, one per line, with figures first and the name last, and totals.
// `mix`: a second line per kernel has its instructions by pipe.
std::string inspection_table(const results::CodeInspection& inspection, bool mix);

// "35 fp32, 20 moves, ...", the largest first.
std::string mix_text(const results::CompiledKernel& kernel);

}  // namespace camber
