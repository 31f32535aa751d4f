// Measured lines of published figures: the cases that a figure is about, and the lines whose points
// are from several runs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/published/figures.hpp"
#include "harness/record/document.hpp"

namespace camber::published {

// Fewest points that make a curve.
inline constexpr std::size_t least_points = 3;

// "1024x512"
std::string text_of(const Size& size);
// "NVIDIA H200", or "2 x NVIDIA H200" for a case on several GPUs.
std::string device_of_case(const results::Document& document, const results::CaseRecord& record);
// Name of the document's file without folders.
std::string file_of(const results::Document& document);
// The variant without the workload.
std::string_view own_name(const results::CaseRecord& record);
bool is_on_one_gpu(const results::CaseRecord& record);

// Calls f(document, record) for the cases that a figure is about, older files first.
template <class F>
void each_case(const PublishedFigure& figure,
               const std::vector<const results::Document*>& documents, const F& f) {
    for (const results::Document* document : documents)
        for (const results::CaseRecord& record : document->cases) {
            const results::Identity& identity = record.identity;
            if (record.status == results::Status::ok && identity.workload == figure.workload &&
                (figure.size.empty() || figure.size == text_of(identity.size)) &&
                (figure.cell.empty() || figure.cell == identity.cell))
                f(*document, record);
        }
}

// Time saved against another variant in %, over the side of the board.
std::vector<MeasuredLine> saved_over_size(const PublishedFigure& figure,
                                          const std::vector<const results::Document*>& documents);
// Speedup over one core, over the side of the board.
std::vector<MeasuredLine> over_core(const PublishedFigure& figure,
                                    const std::vector<const results::Document*>& documents);
// Deviation from the mean time in %, over the threshold of balancing.
std::vector<MeasuredLine> over_thresholds(const PublishedFigure& figure,
                                          const std::vector<const results::Document*>& documents);

}  // namespace camber::published
