// column_stream: row_stream rotated by 90 degrees. The lanes of a warp have adjacent rows. Every
// thread moves along its row with a stretch of it in registers, and the rows above and below come
// from other lanes by shuffles. The addresses of adjacent lanes are therefore a whole row apart, an
// uncoalesced pattern (Balasalle 2011, section 4.2.2), here with as few loads as possible.
#pragma once

#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/row_window.hpp"

CAMBER_TARGET_BEGIN

// A thread's stretch of C cells of one row, extended by the radius at both ends, and the same
// stretch of the rows above and below.
template <class Rule, int C, Fit fit>
class ColumnWindow {
  public:
    CAMBER_DEVICE ColumnWindow(const Views<Rule>& views, int row, int column)
        : views_(views), row_(row), column_(column) {
        Rule::Inputs::for_each([&]<class Tag>(Tag tag) {
            auto& cells = get<Rule::Inputs::template index<Tag>>(registers_).cell;
            load_stretch(tag, 0, cells[Tag::radius]);
            if constexpr (Tag::radius > 0) neighbours(tag, cells);
        });
    }

    CAMBER_DEVICE auto next(int c, Site site = Site::current()) const {
        const auto read = [&]<class Tag>(Tag, int dcol, int drow, Site) -> typename Tag::Type {
            return get<Rule::Inputs::template index<Tag>>(registers_)
                .cell[drow + Tag::radius][c + dcol + Tag::radius];
        };
        return apply(views_, read, site);
    }

  private:
    template <class Tag, class T = typename Tag::Type>
    CAMBER_DEVICE void load_stretch(Tag tag, int drow, T* cells,
                                    Site site = Site::current()) const {
        const Window<const T> window = views_.input(tag).window(row_, column_);
#pragma unroll
        for (int i = 0; i < C + 2 * Tag::radius; ++i) {
            const int c = i - Tag::radius;
            cells[i] = load_if(exists<Tag>(drow, c), window, drow, c, Tag::outside(), site);
        }
    }

    // Loads the rows above the first lanes and below the last lanes, which no other lane has.
    template <class Tag, class Cells>
    CAMBER_DEVICE void neighbours(Tag tag, Cells& cells) const {
        constexpr int radius = Tag::radius;
        using T = typename Tag::Type;
        const int lane = threadIdx.x % warpSize;
#pragma unroll
        for (int d = 1; d <= radius; ++d) {
#pragma unroll
            for (int i = radius - reach<Tag>(d); i < C + radius + reach<Tag>(d); ++i) {
                cells[radius - d][i] = from_lane_before(cells[radius][i], d);
                cells[radius + d][i] = from_lane_after(cells[radius][i], d);
            }
            const Window<const T> window = views_.input(tag).window(row_, column_);
            const bool first = lane < d;
            const bool last = lane >= warpSize - d;
            if (first || last) {
                const int drow = first ? -d : d;
#pragma unroll
                for (int i = radius - reach<Tag>(d); i < C + radius + reach<Tag>(d); ++i) {
                    const int c = i - radius;
                    const T beyond = load_if(exists<Tag>(drow, c), window, drow, c, Tag::outside());
                    cells[radius - d][i] = first ? beyond : cells[radius - d][i];
                    cells[radius + d][i] = last ? beyond : cells[radius + d][i];
                }
            }
        }
    }

    template <class Tag>
    CAMBER_DEVICE bool exists(int r, int c) const {
        return fit == Fit::exact ||
               (row_ + r < views_.rows + Tag::radius && column_ + c < views_.columns + Tag::radius);
    }

    const Views<Rule>& views_;
    int row_;
    int column_;
    typename Rule::Inputs::template Map<RegistersOf<1, C>::template Type> registers_;
};

template <class Rule, int C, Fit fit>
__global__ void column_stream_kernel(const Views<Rule> views) {
    const int row = blockIdx.y * blockDim.x + threadIdx.x;
    const int column = (blockIdx.x * blockDim.y + threadIdx.y) * C;
    const ColumnWindow<Rule, C, fit> window(views, row, column);
#pragma unroll
    for (int c = 0; c < C; ++c)
        if (on_board<fit>(views, row, column + c)) store(views, row, column + c, window.next(c));
}

struct ColumnStream {
    static constexpr TechniqueInfo info{
        "column_stream", "rows along lanes, columns in registers, rows beside by warp shuffles",
        "Balasalle 2011, section 4.2.2 (the pattern to avoid)", Family::register_streaming};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        if constexpr (Rule::Inputs::radius == 0)
            catalogue.leave_out(info, "reads no neighbours: there is nothing to exchange");
        else if constexpr (is_heavy<Rule>())
            catalogue.leave_out(info, too_heavy);
        else
            catalogue.add(info, variant<Rule, 8>({32, 4}));
    }

  private:
    // 32 threads in x are 32 rows of the board.
    template <class Rule, int C>
    static StencilVariant<Rule> variant(Region block) {
        return {.shape = {.block = block,
                          .region = {block.rows * C, block.columns},
                          .halo = Rule::Inputs::radius,
                          .alignment = 128,
                          .elements_per_thread = C,
                          .path = block.name() + "/c" + std::to_string(C)},
                .kernel = {column_stream_kernel<Rule, C, Fit::overhang>,
                           column_stream_kernel<Rule, C, exact_if_short<Rule>>},
                .stand_in = {"halo", "64x4", 128}};
    }
};

CAMBER_TARGET_END
