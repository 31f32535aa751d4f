// Compiled kernels in results files. Inspection: the kernels in a program, a library or an object file,
// with the resources and the machine code of each (results/schema/camber-inspection.schema.json). Code
// table: registers, occupancy and instructions of many variants' kernels for one compute capability.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/record/document.hpp"

namespace camber::results {

enum class CodeKind : std::uint8_t {
    kernel,
    function,  // device function that is called and not inlined
};

// Resident warps over the maximum of an SM, for blocks of this many threads.
struct BlockOccupancy {
    int threads = 0;
    double occupancy = 0;  // 0 to 1; 0: a block does not fit

    bool operator==(const BlockOccupancy&) const = default;
};

// A kernel for one architecture. PTX has a hash and bounds of the block size; registers and
// instructions are not decided there.
struct CompiledKernel {
    std::string name;          // demangled, without names that change with every compilation
    std::string symbol;        // in the file
    std::string architecture;  // "sm_90a", or "compute_90" for PTX
    CodeKind kind = CodeKind::kernel;
    std::vector<std::string> members;  // archive members that contain it; empty: the file itself
    std::int64_t copies = 1;           // identical ones in the file

    std::optional<int> registers;              // per thread
    std::optional<std::int64_t> frame_bytes;   // stack frame per thread
    std::optional<std::int64_t> stack_bytes;   // with called functions, as far as they are known
    std::optional<std::int64_t> shared_bytes;  // static, per block
    std::optional<std::int64_t> parameter_bytes;
    std::map<std::string, std::int64_t> constant_bytes;  // by bank: "0" has the parameters
    std::optional<std::array<int, 3>> max_block;         // from __launch_bounds__
    std::optional<std::array<int, 3>> required_block;    // the only block that is permitted
    std::optional<int> barriers;
    std::optional<std::int64_t> code_bytes;
    // Local memory accesses in the code: spilled registers, and arrays with variable indices.
    std::optional<std::int64_t> local_loads;
    std::optional<std::int64_t> local_stores;
    // Instructions without padding, by pipe; "unknown": opcodes that are not in the table.
    std::optional<std::int64_t> instructions;
    std::map<std::string, std::int64_t> mix;
    std::vector<BlockOccupancy> occupancy;
    std::string hash;  // 32 digits

    bool is_ptx() const { return !architecture.starts_with("sm_"); }
};

struct CodeInspection {
    std::string file;
    std::int64_t file_bytes = 0;
    std::int64_t cubins = 0;
    std::int64_t ptx_modules = 0;
    std::int64_t intermediate_modules = 0;  // for optimization at link time, without machine code
    std::vector<std::string> notes;         // unread contents, one sentence each
    std::vector<CompiledKernel> kernels;    // by architecture, then by name
};

// The document as JSON.
std::string to_text(const CodeInspection& inspection);

// True if the text begins like such a document.
bool is_inspection(std::string_view text);

// Parses a document. Throws Error(usage) if it has another form; `source` names it.
CodeInspection parse_inspection(std::string_view text, const std::string& source);

class CodeTable {
  public:
    // Makes a table from those cases of a run that contain registers, occupancy and instructions of
    // all their kernels.
    static CodeTable of(const Document& document);

    std::string arch;    // "9.0"; "" if the run does not contain it
    std::string origin;  // the compiler, or the file, for messages

    // Kernels of one launch of a variant, in order; nullptr if they are not in the table.
    const std::vector<Kernel>* find(const std::string& variant, const std::string& cell,
                                    Boundary boundary) const;
    bool empty() const { return variants_.empty(); }

    // Visits the kernels of all variants.
    template <class Visit>
    void for_each_kernel(Visit&& visit) const {
        for (const auto& [variant, kernels] : variants_)
            for (const Kernel& kernel : kernels) visit(kernel);
    }

    // Visits all kernels in the file, including those that no variant uses any more.
    template <class Visit>
    void for_each_text(Visit&& visit) const {
        for (const Kernel& kernel : texts_) visit(kernel);
    }

    template <class Change>
    void change_each_kernel(Change&& change) {
        for (auto& [variant, kernels] : variants_)
            for (Kernel& kernel : kernels) change(kernel);
    }

    void add_text(Kernel kernel) { texts_.push_back(std::move(kernel)); }
    void add(const std::string& variant, const std::string& cell, Boundary boundary,
             std::vector<Kernel> kernels);

  private:
    std::map<std::string, std::vector<Kernel>> variants_;  // by variant, cell and boundary
    std::vector<Kernel> texts_;
};

// Text of a table that no variant refers to.
std::string code_table_text(const std::string& compiler, const std::vector<Kernel>& kernels);

// Parses a file of results/code. Throws Error(usage) if it has another form; `source` names it.
CodeTable parse_code_table(std::string_view text, const std::string& source);

// Tables that are embedded in the program: name and text of each file of results/code. The
// definition is generated.
const std::vector<std::pair<std::string_view, std::string_view>>& embedded_code_tables();

}  // namespace camber::results
