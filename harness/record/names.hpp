// What the enumerations of a document are called in files.
#pragma once

#include <array>
#include <string_view>

#include "harness/record/archive.hpp"

namespace camber::results {

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

}  // namespace camber::results
