// A one-cell field that every cell of the board reads.
#pragma once

#include "variants/stencil/views.hpp"
#include "workloads/lava/sciara_fv3/fields.hpp"

CAMBER_TARGET_BEGIN

// Returns the first cell for any index: all lanes of a warp read one address.
template <class T>
class Grid<const sciara_fv3::Uniform<T>> {
  public:
    using Value = sciara_fv3::Uniform<T>;

    Grid() = default;
    Grid(const Value* base, const Layout& layout, const char* name)
        : cell_(reinterpret_cast<const T*>(base), layout, name) {}

    CAMBER_DEVICE Value operator()(int, int, Site site = Site::current()) const {
        return Value(cell_(0, 0, site));
    }
    CAMBER_DEVICE Value read_only(int, int, Site site = Site::current()) const {
        return Value(cell_.read_only(0, 0, site));
    }

  private:
    Grid<const T> cell_;
};

CAMBER_TARGET_END
