// The columns to the left and right of a warp's own, in a stack of layers: of each row the largest
// and the smallest of every inner layer and the two around it. A lane reads three cells for one
// inner layer and one side; the first and the last lane, which need them, get them by shuffles.
#pragma once

#include "variants/image/extrema/sign_words.hpp"
#include "variants/stencil/catalogue.hpp"
#include "workloads/image/extrema/rule.hpp"

CAMBER_WORKLOAD_BEGIN(extrema)

// Assignment of lanes to inner layers, from 0, and sides.
template <int layers>
class EdgeLanes {
  public:
    static constexpr int inner = layers - 2;

    CAMBER_DEVICE explicit EdgeLanes(int lane) : lane_(lane) {}
    CAMBER_DEVICE bool wanted() const { return lane_ < 2 * inner; }
    CAMBER_DEVICE bool left() const { return lane_ < inner; }
    CAMBER_DEVICE int layer() const { return lane_ % inner; }

    // Edge triple of inner layer m: the left side for the first lane, the right side for the last.
    CAMBER_DEVICE MinMax of_layer(MinMax own, int m) const {
        const int source = lane_ == 0 ? m : inner + m;
        return {__shfl_sync(0xffffffffu, own.largest, source),
                __shfl_sync(0xffffffffu, own.smallest, source)};
    }

  private:
    int lane_;
};

// From memory.
template <int layers, int N, Fit fit>
class EdgeTriples {
  public:
    // (row, column): the lane's first own cell.
    CAMBER_DEVICE EdgeTriples(const Views<ExtremaStack<layers>>& views, int row, int column)
        : row_(row), rows_(views.rows), columns_(views.columns) {
        const int lane = threadIdx.x % warpSize;
        const EdgeLanes<layers> edge(lane);
        const int first = column - lane * N;
        wanted_ = edge.wanted();
        column_ = edge.left() ? first - 1 : first + warpSize * N;
        Inputs::for_each([&]<class Tag>(Tag tag) {
            const int k = Inputs::template index<Tag> - edge.layer();
#pragma unroll
            for (int l = 0; l < 3; ++l)
                if (k == l) layers_[l] = views.input(tag);
        });
    }

    // In row r, counted from the first own one: of the lane's layer and side.
    CAMBER_DEVICE MinMax load(int r) const {
        const float below = cell(layers_[0], r);
        const float middle = cell(layers_[1], r);
        const float above = cell(layers_[2], r);
        return joined(joined(MinMax{below, below}, middle), above);
    }

  private:
    using Inputs = typename ExtremaStack<layers>::Inputs;

    CAMBER_DEVICE float cell(const Grid<const float>& layer, int r,
                             Site site = Site::current()) const {
        const bool exists = fit == Fit::exact || (row_ + r < rows_ + 1 && column_ < columns_ + 1);
        return without_sign_of_zero(
            load_if(wanted_ && exists, layer.window(row_, column_), r, 0, 0.0f, site));
    }

    int row_;
    int rows_;
    int columns_;
    int column_;
    bool wanted_;
    Grid<const float> layers_[3];
};

CAMBER_TARGET_END
