// Tables for powers as copies in a block's shared memory: lanes read different entries at once, and
// the copies are complete before the first cell is computed.
#pragma once

#include "variants/lava/sciara_fv2/power_table.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// Placeholder for arithmetic without tables.
struct NoTables {
    static constexpr int bytes = 0;

    template <int Threads>
    struct Part {};
    template <int Threads>
    CAMBER_DEVICE static Part<Threads> load(int /*thread*/) {
        return {};
    }
    template <int Threads>
    CAMBER_DEVICE void store(int /*thread*/, const Part<Threads>& /*part*/) {}
};

class PowerTables {
  public:
    static constexpr int bytes = sizeof power_table;

    // Table entries that one thread of a block copies: all loads are issued before the first wait.
    template <int Threads>
    struct Part {
        static constexpr int most = (power_rows * power_columns + Threads - 1) / Threads;
        double values[most];
    };
    template <int Threads>
    CAMBER_DEVICE static Part<Threads> load(int thread) {
        Part<Threads> part;
        for (int n = 0; n < Part<Threads>::most; ++n) {
            const int i = n * Threads + thread;
            if (i < power_rows * power_columns)
                part.values[n] = power_table[i / power_columns][i % power_columns];
        }
        return part;
    }
    // A barrier must follow.
    template <int Threads>
    CAMBER_DEVICE void store(int thread, const Part<Threads>& part) {
        for (int n = 0; n < Part<Threads>::most; ++n) {
            const int i = n * Threads + thread;
            if (i < power_rows * power_columns)
                cells_(i / power_columns, i % power_columns) = part.values[n];
        }
    }

    CAMBER_DEVICE double at(PowerRow row, int column) const {
        return cells_(static_cast<int>(row), column);
    }

  private:
    Tile<double, power_rows, power_columns> cells_;
};

CAMBER_TARGET_END
