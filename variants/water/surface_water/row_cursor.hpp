// Cursor that moves down a field row by row: one addition per row, where an index takes a product
// and more.
#pragma once

#include "harness/machine/kernel/vocabulary.hpp"

CAMBER_TARGET_BEGIN

template <class T>
class RowCursor {
  public:
    CAMBER_DEVICE RowCursor(const Grid<T>& grid, int row, int column)
#if CAMBER_ON_DEVICE
        : cell_(&grid(row, column)), pitch_(static_cast<int>(&grid(1, 0) - &grid(0, 0))) {
    }
    CAMBER_DEVICE void go_down() {
        cell_ += pitch_;
    }
    CAMBER_DEVICE Window<T> window() const {
        return {cell_, pitch_};
    }

  private:
    T* cell_;
    int pitch_;
#else
        : grid_(grid), row_(row), column_(column) {
    }
    void go_down() {
        ++row_;
    }
    Window<T> window() const {
        return grid_.window(row_, column_);
    }

  private:
    const Grid<T>& grid_;
    int row_;
    int column_;
#endif
};

CAMBER_TARGET_END
