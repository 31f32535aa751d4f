// Binary files with the predicted accesses of a board's variants, read only by the program that
// wrote them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "harness/predict/prediction.hpp"

namespace camber {

// Reads or writes values in the same order. A reader checks nothing but the end of the file.
class Archive {
  public:
    Archive(std::fstream& file, bool writes) : file_(file), writes_(writes) {}

    template <class T>
    void operator()(T& value) {
        if constexpr (std::is_trivially_copyable_v<T> && !std::is_same_v<T, simt::LibraryCall>) {
            if (writes_)
                file_.write(reinterpret_cast<const char*>(&value), sizeof value);
            else
                file_.read(reinterpret_cast<char*>(&value), sizeof value);
        } else {
            fields(value);
        }
    }
    template <class... T>
    void all(T&... values) {
        ((*this)(values), ...);
    }
    bool good() const { return file_.good(); }

  private:
    template <class Container>
    void sequence(Container& values) {
        std::uint64_t size = values.size();
        (*this)(size);
        if (!writes_) values.resize(file_.good() ? size : 0);
        for (auto& value : values) (*this)(value);
    }
    void fields(std::string& text) { sequence(text); }
    template <class T>
    void fields(std::vector<T>& values) {
        sequence(values);
    }
    template <class T>
    void fields(std::optional<T>& value) {
        bool there = value.has_value();
        (*this)(there);
        if (there && !value) value.emplace();
        if (there) (*this)(*value);
    }
    void fields(LaunchModel& m) {
        all(m.rules, m.blocks, m.counts, m.sites, m.reads, m.writes, m.distinct_sectors,
            m.cluster_barriers, m.rounds);
    }
    void fields(simt::LibraryCall& call) { all(call.read_bytes, call.written_bytes, call.kernels); }
    void fields(Locality& l) {
        all(l.pieces_of_block, l.read_beside, l.touched_before, l.writers_of_sector, l.of_step);
    }
    void fields(KernelPrediction& k) {
        all(k.kernel, k.grid, k.block, k.model, k.sampled_blocks, k.low, k.high, k.after, k.spread,
            k.cluster, k.locality);
    }
    void fields(CallSite& site) {
        all(site.place, site.path, site.key, site.file, site.line, site.column);
    }
    void fields(Prediction& p) {
        all(p.architecture, p.method, p.data_dependent, p.small_board, p.kernels, p.sites);
    }

    std::fstream& file_;
    bool writes_;
};

// Predictions by variant name, without `variant` and `problem`; empty if the file does not exist.
inline std::map<std::string, Prediction> read_predictions(const std::filesystem::path& path) {
    std::map<std::string, Prediction> found;
    std::fstream file(path, std::ios::in | std::ios::binary);
    Archive archive(file, false);
    for (;;) {
        std::string name;
        Prediction prediction;
        archive.all(name, prediction);
        if (!archive.good()) return found;
        found.emplace(name, std::move(prediction));
    }
}

inline void write_predictions(const std::filesystem::path& path,
                              std::map<std::string, Prediction>& predictions) {
    std::fstream file(path, std::ios::out | std::ios::binary | std::ios::trunc);
    Archive archive(file, true);
    for (auto& [name, prediction] : predictions) {
        std::string copy = name;
        archive.all(copy, prediction);
    }
}

}  // namespace camber
