// Table of compiled kernels for one compute capability: registers, occupancy and instructions of
// the kernels of many variants.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/record/document.hpp"

namespace camber::results {

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

// Parses a file of results/code. Throws Error(usage) if it has another form; `source` names it.
CodeTable parse_code_table(std::string_view text, const std::string& source);

// Tables that are embedded in the program: name and text of each file of results/code. The
// definition is generated.
const std::vector<std::pair<std::string_view, std::string_view>>& embedded_code_tables();

}  // namespace camber::results
