// A document of one case with one quantity of each kind, and functions that modify it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/analysis/compare/documents.hpp"

namespace camber::compare_test {

inline const std::vector<double> five{100, 100.1, 100.2, 99.9, 100};

inline Document plain() {
    Document document = document_of({five});
    CaseRecord& record = document.cases[0];
    record.model = model_of({{"global_load_requests", 1000},
                             {"global_load_sectors", 4000},
                             {"non_redundant_share", 0.5}});
    results::Kernel& kernel = record.kernels.emplace_back();
    kernel.name = "stencil";
    kernel.registers = 22;
    kernel.static_shared_bytes = 2048;
    kernel.dynamic_shared_bytes = 0;
    kernel.local_bytes = 0;
    kernel.instructions = {{"total", 54}, {"global_loads", 9}, {"integer", 13}};
    record.counters = {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 4000},
                       {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 1000},
                       {"lts__t_sectors_op_read.sum", 777},
                       {"l1tex__t_sector_hit_rate.pct", 50.5},
                       {"sm__sass_inst_executed_op_local_ld.sum", 0}};
    return document;
}

using Edit = std::function<void(CaseRecord& record)>;

// Returns `plain()` with a modified case.
inline Document with(const Edit& edit) {
    Document document = plain();
    edit(document.cases[0]);
    return document;
}

// Adds a second case, a copy of the first.
inline CaseRecord& add_case(Document& document, const std::string& name) {
    document.cases.push_back(document.cases[0]);
    document.cases.back().name = name;
    return document.cases.back();
}

inline comparison::GateRules allowing(const std::vector<std::string>& names) {
    comparison::GateRules rules;
    rules.allowed = comparison::Allowed(names);
    return rules;
}

}  // namespace camber::compare_test
