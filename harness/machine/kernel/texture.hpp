// Texture<T>: a read-only view of a field through the texture unit.
//
// `texture(row, column)` reads interior cells, which count from 0. A pitched texture has
// two-dimensional addresses and a value for every cell outside the board; a linear texture is a
// line of elements, whose index the view computes, and has no values outside. Fetches are
// unfiltered: they return the element itself. The field must have no halo; the addressing mode
// replaces it.
//
// TextureBinding<T> makes the texture of a field on a queue; textures are valid during its
// lifetime.
#pragma once

#include <string>

#include "harness/base/error.hpp"
#include "harness/base/kernel_launch.hpp"
#include "harness/base/layout.hpp"
#include "harness/base/target.hpp"
#include "harness/machine/kernel/site.hpp"
#include "harness/machine/queue/queue.hpp"

namespace camber {

inline void require_no_halo(const Layout& layout, const char* field) {
    if (layout.halo != 0)
        throw Error(ExitCode::usage, "field " + std::string(field) + " has a halo of " +
                                         std::to_string(layout.halo) +
                                         " cells, a texture needs one without: its addressing "
                                         "takes the halo's place");
}

}  // namespace camber

#if CAMBER_ON_DEVICE

    #include "harness/machine/cuda/runtime_objects.hpp"

CAMBER_TARGET_BEGIN

template <class T, TextureShape shape = TextureShape::pitched>
class Texture {
  public:
    Texture(cudaTextureObject_t object, int pitch) : object_(object), pitch_(pitch) {}

    CAMBER_DEVICE T operator()(int row, int column, Site = Site::current()) const {
        if constexpr (shape == TextureShape::linear)
            return tex1Dfetch<T>(object_, row * pitch_ + column);
        else
            return tex2D<T>(object_, static_cast<float>(column), static_cast<float>(row));
    }

  private:
    cudaTextureObject_t object_;
    int pitch_;
};

template <class T, TextureShape shape = TextureShape::pitched>
class TextureBinding {
  public:
    // `base`: start of the allocation that `layout` describes.
    TextureBinding(Queue&, const T* base, const Layout& layout, const char* field,
                   Addressing addressing = Addressing::border)
        : object_((require_no_halo(layout, field), base), cudaCreateChannelDesc<T>(), sizeof(T),
                  layout, shape, addressing),
          pitch_(layout.pitch) {}

    Texture<T, shape> texture() const { return {object_.native(), pitch_}; }

  private:
    cuda::TextureObject object_;
    int pitch_;
};

CAMBER_TARGET_END

#else

    #include <algorithm>

    #include "harness/machine/simt/access.hpp"

CAMBER_TARGET_BEGIN

template <class T, TextureShape shape = TextureShape::pitched>
class Texture {
  public:
    Texture(const T* base, const Layout& layout, const char* field, Addressing addressing)
        : origin_(base), field_{field, layout, base, sizeof(T)}, addressing_(addressing) {}

    T operator()(int row, int column, Site site = Site::current()) const {
        const Layout& layout = field_.layout;
        if (row < 0 || row >= layout.rows || column < 0 || column >= layout.columns) {
            if (shape == TextureShape::linear)
                simt::report_outside_grid(field_.name, row, column, layout, site);
            if (addressing_ == Addressing::border) {
                skip(site);
                return T{};
            }
            row = std::clamp(row, 0, layout.rows - 1);
            column = std::clamp(column, 0, layout.columns - 1);
        }
        return simt::access(origin_ + static_cast<std::ptrdiff_t>(row) * layout.pitch + column,
                            simt::Space::texture, site, field_);
    }

  private:
    const T* origin_;
    simt::Field field_;
    Addressing addressing_;
};

template <class T, TextureShape shape = TextureShape::pitched>
class TextureBinding {
  public:
    TextureBinding(Queue&, const T* base, const Layout& layout, const char* field,
                   Addressing addressing = Addressing::border)
        : texture_(base, layout, field, addressing) {
        require_no_halo(layout, field);
    }

    Texture<T, shape> texture() const { return texture_; }

  private:
    Texture<T, shape> texture_;
};

CAMBER_TARGET_END

#endif
