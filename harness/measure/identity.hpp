// What a study's case is, as results record it.
#pragma once

#include "harness/machine/queue/queue.hpp"
#include "harness/machine/sass/instruction_mix.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/derive.hpp"
#include "harness/record/document.hpp"

namespace camber {

// The record of a case of which nothing is known yet: its name and identity.
results::CaseRecord record_of(const Study& study, const Case& chosen);

// The limit that each case comes nearest to, and its share of it, where counters tell.
void add_limits(results::Document& document);

// What the case's rates are taken of.
results::Work work_of(const Study& study, const Variant& variant);

// `on_device`: the compiler's facts are known too.
results::Kernel recorded(const KernelFacts& facts, bool on_device);

// An instruction mix, of the whole kernel and of its loops, into the kernel's record.
void record(const InstructionMix& mix, results::Kernel& kernel);

}  // namespace camber
