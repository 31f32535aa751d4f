// JSON conversion of the parts of a document, for the one reader and the one writer, and the names
// of enumerators in files. Reading throws FormError.
#pragma once

#include <array>
#include <string_view>

#include "harness/record/archive.hpp"
#include "harness/record/case_record.hpp"
#include "harness/record/document.hpp"
#include "harness/record/verification.hpp"

namespace camber::results {

// What the enumerations of a document are called in files.
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

// The fields of a group of places, for the structures that have one.
void fields(Writer& a, const GroupRecord& group);
void fields(Reader& a, GroupRecord& group);

// The fields of a prediction, for the structures that have one.
void fields(Writer& a, const ModelRecord& model);
void fields(Reader& a, ModelRecord& model);

// The fields of loops and blocks of a program text, for the structures that have them.
void fields(Writer& a, const CodeRegion& region);
void fields(Reader& a, CodeRegion& region);
void fields(Writer& a, const BasicBlock& block);
void fields(Reader& a, BasicBlock& block);

// Throws FormError where a region stands within one that is not there, or a basic block leads to
// one.
void check_text(const Kernel& kernel);

// The fields of what was timed, for the structures that have it.
void fields(Writer& a, const Samples& samples);
void fields(Reader& a, Samples& samples);
void fields(Writer& a, const KernelTimes& times);
void fields(Reader& a, KernelTimes& times);
void fields(Writer& a, const Interval& interval);
void fields(Reader& a, Interval& interval);

// The fields of a verification, for the structures that have one.
void fields(Writer& a, const Verification& verification);
void fields(Reader& a, Verification& verification);

// The parts of a document as JSON, for the one reader and the one writer. Reading throws FormError.
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

// Any document in the form of results files: two blanks of indentation, lists of plain values and
// short objects of such in one line. Throws std::logic_error for a number that JSON cannot express,
// naming its place.
std::string to_text(const Json& json);

// What a final state is measured by.
bool is_final_quantity(std::string_view name);  // "population" or "mass"

}  // namespace camber::results
