// Grid<T>: a kernel's view of a field in global memory.
//
// `grid(row, column)` reads (Grid<const T>) or yields an assignable cell (Grid<T>); interior cells
// count from 0, halo cells have the indices -1 and rows/columns. On the device this is bare pointer
// arithmetic; on the host every access is checked against the layout and reported to the recorder.
//
// `grid.window(row, column)` moves the coordinate origin to a cell, usually the first one of the
// block's tile. The offset of a window is computed once, in 64 bits; accesses through the window
// need 32-bit arithmetic, which is fewer instructions if a thread accesses several rows.
// `read_only(row, column)` reads through the read-only data cache (LDG.NC), allowed if nothing
// writes the field while the kernel runs.
#pragma once

#include <cstddef>
#include <type_traits>

#include "harness/base/layout.hpp"
#include "harness/base/target.hpp"
#include "harness/machine/kernel/site.hpp"

#if CAMBER_ON_DEVICE

CAMBER_TARGET_BEGIN

template <class T>
class Window {
  public:
    CAMBER_DEVICE Window(T* origin, int pitch) : origin_(origin), pitch_(pitch) {}

    CAMBER_DEVICE T& operator()(int row, int column, Site = Site::current()) const {
        return origin_[row * pitch_ + column];
    }
    CAMBER_DEVICE std::remove_const_t<T> read_only(int row, int column,
                                                   Site = Site::current()) const {
        return __ldg(origin_ + row * pitch_ + column);
    }

  private:
    T* origin_;
    int pitch_;
};

template <class T>
class Grid {
  public:
    Grid() = default;
    // `base`: start of the allocation that `layout` describes. `name`: field name, for messages.
    Grid(T* base, const Layout& layout, const char* /*name*/)
        : origin_(base + layout.origin()),
          pitch_(layout.pitch),
          columns_(layout.columns),
          rows_(layout.rows),
          halo_(layout.halo) {}

    CAMBER_DEVICE T& operator()(int row, int column, Site = Site::current()) const {
        return origin_[static_cast<std::ptrdiff_t>(row) * pitch_ + column];
    }
    CAMBER_DEVICE std::remove_const_t<T> read_only(int row, int column,
                                                   Site = Site::current()) const {
        return __ldg(origin_ + static_cast<std::ptrdiff_t>(row) * pitch_ + column);
    }
    CAMBER_DEVICE Window<T> window(int row, int column) const {
        return {origin_ + static_cast<std::ptrdiff_t>(row) * pitch_ + column, pitch_};
    }
    CAMBER_HD int columns() const { return columns_; }
    CAMBER_HD int rows() const { return rows_; }
    CAMBER_HD int halo() const { return halo_; }

  private:
    T* origin_ = nullptr;
    int pitch_ = 0;
    int columns_ = 0;
    int rows_ = 0;
    int halo_ = 0;
};

CAMBER_TARGET_END

#else

    #include "harness/machine/simt/access.hpp"
    #include "harness/machine/simt/bulk_copies.hpp"

CAMBER_TARGET_BEGIN

template <class T>
class Grid;
template <class T, int N>
struct Pack;

template <class T>
class Window {
  public:
    Window(const Grid<T>& grid, int row, int column) : grid_(grid), row_(row), column_(column) {}

    auto operator()(int row, int column, Site site = Site::current()) const {
        return grid_(row_ + row, column_ + column, site);
    }
    auto read_only(int row, int column, Site site = Site::current()) const {
        return grid_.read_only(row_ + row, column_ + column, site);
    }
    template <int N>
    auto load_pack(int row, int column, Site site) const {
        return grid_.template load_pack<N>(row_ + row, column_ + column, site);
    }
    template <int N>
    void store_pack(int row, int column, const Pack<T, N>& cells, Site site) const {
        grid_.store_pack(row_ + row, column_ + column, cells, site);
    }

  private:
    const Grid<T>& grid_;
    int row_;
    int column_;
};

template <class T>
class Grid {
  public:
    Grid() = default;
    Grid(T* base, const Layout& layout, const char* name)
        : origin_(base + layout.origin()), field_{name, layout, origin_, sizeof(T)} {}

    auto operator()(int row, int column, Site site = Site::current()) const {
        return simt::access(cell(row, column, site), simt::Space::global, site, field_);
    }
    std::remove_const_t<T> read_only(int row, int column, Site site = Site::current()) const {
        const T* address = cell(row, column, site);
        return simt::access(address, simt::Space::global, site, field_);
    }
    template <int N>
    auto load_pack(int row, int column, Site site) const {
        using Cells = const Pack<std::remove_const_t<T>, N>;
        cell(row, column + N - 1, site);
        return simt::access(reinterpret_cast<Cells*>(cell(row, column, site)), simt::Space::global,
                            site, field_);
    }
    template <int N>
    void store_pack(int row, int column, const Pack<T, N>& cells, Site site) const {
        cell(row, column + N - 1, site);
        simt::access(reinterpret_cast<Pack<T, N>*>(cell(row, column, site)), simt::Space::global,
                     site, field_) = cells;
    }
    // One member of the structure in a cell.
    auto member(int row, int column, int k, Site site) const {
        return simt::access(&cell(row, column, site)->slot[k], simt::Space::global, site, field_);
    }
    // Source of a bulk copy: `cells` cells of a row.
    simt::CopySource stretch(int row, int column, int cells, Site site) const {
        cell(row, column + cells - 1, site);
        return {cell(row, column, site), &field_};
    }
    Window<T> window(int row, int column) const { return {*this, row, column}; }
    int columns() const { return field_.layout.columns; }
    int rows() const { return field_.layout.rows; }
    int halo() const { return field_.layout.halo; }

  private:
    T* cell(int row, int column, const Site& site) const {
        const Layout& layout = field_.layout;
        if (row < -layout.halo || row >= layout.rows + layout.halo || column < -layout.halo ||
            column >= layout.columns + layout.halo) [[unlikely]]
            simt::report_outside_grid(field_.name, row, column, layout, site);
        return origin_ + static_cast<std::ptrdiff_t>(row) * layout.pitch + column;
    }

    T* origin_ = nullptr;
    simt::Field field_;
};

CAMBER_TARGET_END

#endif
