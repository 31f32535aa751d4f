// JSON conversion of the parts of a document, and the names of enumerators in files. Reading throws
// FormError.
#pragma once

#include <array>
#include <string_view>

#include "harness/record/archive.hpp"
#include "harness/record/case_record.hpp"
#include "harness/record/document.hpp"
#include "harness/record/verification.hpp"

namespace camber::results {

// Names of a document's enumerators in files.
template <>
struct Names<Status> {
    static constexpr std::array all{Status::ok, Status::skipped, Status::failed};
    static std::string_view text(Status status) { return name(status); }
};
template <>
struct Names<Verification::Status> {
    using E = Verification::Status;
    static constexpr std::array all{E::passed, E::failed, E::skipped};
    static std::string_view text(E status) { return name(status); }
};
template <>
struct Names<Verification::Method> {
    using E = Verification::Method;
    static constexpr std::array all{E::cells, E::statistics};
    static std::string_view text(E method) { return method == E::cells ? "cells" : "statistics"; }
};
template <>
struct Names<CacheState> {
    static constexpr std::array all{CacheState::hot, CacheState::cold};
    static std::string_view text(CacheState state) { return name(state); }
};
template <>
struct Names<Submission> {
    static constexpr std::array all{Submission::stream, Submission::graph};
    static std::string_view text(Submission submission) { return name(submission); }
};
template <>
struct Names<Backend> {
    static constexpr std::array all{Backend::cuda, Backend::simt, Backend::cpu};
    static std::string_view text(Backend backend) { return name(backend); }
};
template <>
struct Names<Boundary> {
    static constexpr std::array all{Boundary::dead, Boundary::torus};
    static std::string_view text(Boundary boundary) { return name(boundary); }
};
template <>
struct Names<Arithmetic> {
    static constexpr std::array all{Arithmetic::canonical, Arithmetic::reordered,
                                    Arithmetic::unordered, Arithmetic::rounded};
    static std::string_view text(Arithmetic arithmetic) { return name(arithmetic); }
};
template <>
struct Names<scaling::Unit> {
    using E = scaling::Unit;
    static constexpr std::array all{E::sm, E::thread, E::gpu, E::rank};
    static std::string_view text(E unit) { return key(unit); }
};
template <>
struct Names<scaling::Mode> {
    static constexpr std::array all{scaling::Mode::strong, scaling::Mode::weak};
    static std::string_view text(scaling::Mode mode) { return key(mode); }
};
template <>
struct Names<scaling::Verdict> {
    using E = scaling::Verdict;
    static constexpr std::array all{E::no_trend,    E::per_unit_cost, E::imbalance,
                                    E::serial_part, E::unresolved,    E::weak};
    static std::string_view text(E verdict) { return key(verdict); }
};

// Fields of a group of devices.
void fields(Writer& a, const GroupRecord& group);
void fields(Reader& a, GroupRecord& group);

// Fields of a prediction.
void fields(Writer& a, const ModelRecord& model);
void fields(Reader& a, ModelRecord& model);

// Fields of loops and basic blocks of machine code.
void fields(Writer& a, const CodeRegion& region);
void fields(Reader& a, CodeRegion& region);
void fields(Writer& a, const BasicBlock& block);
void fields(Reader& a, BasicBlock& block);

// Throws FormError if a region or a basic block refers to one that does not exist.
void check_text(const Kernel& kernel);

// Fields of timing results.
void fields(Writer& a, const Samples& samples);
void fields(Reader& a, Samples& samples);
void fields(Writer& a, const KernelTimes& times);
void fields(Reader& a, KernelTimes& times);
void fields(Writer& a, const IntervalKernel& kernel);
void fields(Reader& a, IntervalKernel& kernel);
void fields(Writer& a, const Interval& interval);
void fields(Reader& a, Interval& interval);

// Fields of a verification.
void fields(Writer& a, const Verification& verification);
void fields(Reader& a, Verification& verification);

// JSON conversion of the parts of a document. Reading throws FormError.
Json to_json(const Context& context);
Json to_json(const Ceilings& ceilings);
Json to_json(const Campaign& campaign);
Json to_json(const CaseRecord& record);
Json to_json(const Aggregate& aggregate);
Json to_json(const ModelEntry& entry);
Json to_json(const scaling::Analysis& analysis);

void from_json(const Json& json, Context& context);
void from_json(const Json& json, Ceilings& ceilings);
void from_json(const Json& json, Campaign& campaign);
void from_json(const Json& json, CaseRecord& record);  // camber's or Google Benchmark's
void from_json(const Json& json, Aggregate& aggregate);
void from_json(const Json& json, ModelEntry& entry);
void from_json(const Json& json, scaling::Analysis& analysis);

// Any document in the form of result files: an indentation of two blanks, lists of plain values and
// short objects of them on one line. Throws std::logic_error with the location of a number that
// JSON cannot express.
std::string to_text(const Json& json);

// Returns true for quantities that summarize a final state.
bool is_final_quantity(std::string_view name);  // "population" or "mass"

}  // namespace camber::results
