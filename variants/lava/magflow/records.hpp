// Memory layouts of MAGFLOW's fields: records of several fields per cell, and kernels that read and
// write cells in any layout. All other variants have one array per field. Bilotta et al. 2011 used
// an array of structures on the CPU, and compare arrays of vectors (float4, float2) with separate
// fields.
#pragma once

#include <type_traits>

#include "harness/machine/kernel/pack.hpp"
#include "variants/lava/magflow/erupt.hpp"
#include "variants/lava/magflow/flux_stage.hpp"

CAMBER_WORKLOAD_BEGIN(magflow)

// Quantities of a MAGFLOW cell. `ground` is altitude plus solid lava and is not a field of the
// state.
enum class Quantity {
    altitude,
    solidified,
    thickness,
    temperature,
    heat,
    vents,
    emission,
    volume_flux,
    heat_flux,
    step_limit,
    ground
};
inline constexpr int quantities = 11;

inline const char* field_of(Quantity quantity) {
    constexpr const char* names[quantities] = {
        "altitude", "solidified",  "thickness", "temperature", "heat",  "vents",
        "emission", "volume_flux", "heat_flux", "step_limit",  "ground"};
    return names[static_cast<int>(quantity)];
}

// Record of quantities that are adjacent in memory, as elements of type T.
template <class T, Quantity... held>
struct CellRecord {
    using Element = T;
    static constexpr int members = sizeof...(held);
    using Cell = Interleaved<T, members>;
    // True if one access moves the record: float2, float4.
    static constexpr bool at_once = members == 2 || members == 4;

    CAMBER_HD static constexpr bool holds(Quantity quantity) { return ((quantity == held) || ...); }
    CAMBER_HD static constexpr Quantity at(int slot) {
        constexpr Quantity members_in_order[] = {held...};
        return members_in_order[slot];
    }
    // Calls f.operator()<quantity, slot>() for each member.
    CAMBER_EXEC_CHECK_DISABLE
    template <int slot = 0, class F>
    CAMBER_HD static void for_each(const F& f) {
        if constexpr (slot < members) {
            f.template operator()<at(slot), slot>();
            for_each<slot + 1>(f);
        }
    }
};

// Layout of all records. If `by_columns` is true, cells of a column are contiguous; otherwise those
// of a row are.
template <bool by_columns_, class... Records>
struct RecordLayout {
    static constexpr bool by_columns = by_columns_;
    static constexpr int count = sizeof...(Records);
    using List = TagList<Records...>;
    // True if a record contains `ground`.
    static constexpr bool keeps_ground = (Records::holds(Quantity::ground) || ...);
    // Rows cannot be aligned if a record's size is not a power of two.
    static constexpr int alignment =
        ((Records::members > 4 || Records::members == 3) || ...) ? unaligned : 128;

    // Shape of the board in memory.
    static Size shape(Size board) { return by_columns ? Size{board.rows, board.columns} : board; }
};

template <class Held>
using RecordGrid = Grid<typename Held::Cell>;
template <class Held>
using ConstRecordGrid = Grid<const typename Held::Cell>;

// Some of a cell's quantities in registers. Vent numbers have the same type as all other
// quantities.
struct CellWords {
    float word[quantities];
    CAMBER_DEVICE float& operator[](Quantity quantity) { return word[static_cast<int>(quantity)]; }
    CAMBER_DEVICE float operator[](Quantity quantity) const {
        return word[static_cast<int>(quantity)];
    }
};

template <class L>
struct RecordViews {
    typename L::List::template Map<ConstRecordGrid> from;
    typename L::List::template Map<RecordGrid> to;
    int columns = 0;
    int rows = 0;

    // Loads quantities of a cell. Records that one access can move are loaded as a whole.
    template <Quantity... wanted>
    CAMBER_DEVICE void load(CellWords& words, int row, int column,
                            Site site = Site::current()) const {
        const CallPath path(site);
        L::List::for_each([&]<class R>(R) {
            constexpr int record = L::List::template index<R>;
            if constexpr (!(R::holds(wanted) || ...)) {
                return;
            } else if constexpr (R::at_once) {
                const auto cell =
                    whole(get<record>(from), memory_row(row, column), memory_column(row, column));
                R::for_each([&]<Quantity quantity, int slot>() {
                    if constexpr (((quantity == wanted) || ...)) words[quantity] = cell.slot[slot];
                });
            } else {
                R::for_each([&]<Quantity quantity, int slot>() {
                    if constexpr (((quantity == wanted) || ...))
                        words[quantity] = member<slot>(get<record>(from), memory_row(row, column),
                                                       memory_column(row, column));
                });
            }
        });
    }

    // Stores quantities of a cell. If all quantities of a record are stored and one access can move
    // it, it is stored as a whole.
    template <Quantity... given>
    CAMBER_DEVICE void store(const CellWords& words, int row, int column,
                             Site site = Site::current()) const {
        const CallPath path(site);
        L::List::for_each([&]<class R>(R) {
            constexpr int record = L::List::template index<R>;
            using T = typename R::Element;
            constexpr int given_here = (int{R::holds(given)} + ...);
            if constexpr (given_here == 0) {
                return;
            } else if constexpr (R::at_once && given_here == R::members) {
                Pack<T, R::members> cell;
                R::for_each([&]<Quantity quantity, int slot>() {
                    cell[slot] = static_cast<T>(words[quantity]);
                });
                store_whole(get<record>(to), memory_row(row, column), memory_column(row, column),
                            cell);
            } else {
                R::for_each([&]<Quantity quantity, int slot>() {
                    if constexpr (((quantity == given) || ...))
                        store_member<slot>(get<record>(to), memory_row(row, column),
                                           memory_column(row, column),
                                           static_cast<T>(words[quantity]));
                });
            }
        });
    }

    CAMBER_DEVICE magflow::Lava<float> lava(int row, int column,
                                            Site site = Site::current()) const {
        const CallPath path(site);
        CellWords cell;
        if constexpr (L::keeps_ground) {
            load<Quantity::ground, Quantity::thickness, Quantity::temperature>(cell, row, column);
        } else {
            load<Quantity::altitude, Quantity::solidified, Quantity::thickness,
                 Quantity::temperature>(cell, row, column);
            cell[Quantity::ground] = cell[Quantity::altitude] + cell[Quantity::solidified];
        }
        return {cell[Quantity::ground], cell[Quantity::thickness], cell[Quantity::temperature]};
    }

    CAMBER_DEVICE int vent(int row, int column, Site site = Site::current()) const {
        const CallPath path(site);
        CellWords cell;
        load<Quantity::vents>(cell, row, column);
        return static_cast<int>(cell[Quantity::vents]);
    }

  private:
    CAMBER_DEVICE static int memory_row(int row, int column) {
        return L::by_columns ? column : row;
    }
    CAMBER_DEVICE static int memory_column(int row, int column) {
        return L::by_columns ? row : column;
    }
    template <class Cell, class T, int N>
    CAMBER_DEVICE static void store_whole(const Grid<Cell>& grid, int row, int column,
                                          const Pack<T, N>& words, Site site = Site::current()) {
#if CAMBER_ON_DEVICE
        store_pack(grid, row, column, words, site);
#else
        Cell cell;
        for (int k = 0; k < N; ++k) cell.slot[k] = words[k];
        grid(row, column, site) = cell;
#endif
    }
};

CAMBER_TARGET_END
