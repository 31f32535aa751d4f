// Particles as two float4, of which neighbors are fetched through the texture unit: the cache for
// scattered reads on cards of the source's time.
#pragma once

#include <cstddef>
#include <vector>

#include "variants/particles/sph/quad_fields.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

struct TextureFields {
    using Real = float;
    static constexpr const char* name = "float4";
    using Forces = QuadFields::Forces;
    using ForceStore = QuadFields::ForceStore;
    using LinearTexture = Texture<float4, TextureShape::linear>;

    QuadFields quads;
    LinearTexture places;
    LinearTexture motions;

    template <Read read = Read::plain>
    CAMBER_DEVICE Location<float> point(int slot) const {
        const Place<float> p = place<read>(slot);
        return {p.x, p.y, p.z};
    }
    template <Read read = Read::plain>
    CAMBER_DEVICE Place<float> place(int slot) const {
        if constexpr (read == Read::texture) {
            const float4 p = places(0, slot);
            return {p.x, p.y, p.z, p.w};
        } else {
            return quads.place<read>(slot);
        }
    }
    template <Read read = Read::plain>
    CAMBER_DEVICE Motion<float> motion(int slot) const {
        if constexpr (read == Read::texture) {
            const float4 m = motions(0, slot);
            return {m.x, m.y, m.z, m.w};
        } else {
            return quads.motion<read>(slot);
        }
    }
    CAMBER_DEVICE void store(int slot, const Particle<float>& p) const { quads.store(slot, p); }

    class Store {
      public:
        Store(Queue& queue, std::size_t count)
            : quads_(queue, count),
              places_(queue, quads_.places().data(), quads_.places().layout(), "place"),
              motions_(queue, quads_.motions().data(), quads_.motions().layout(), "motion") {}

        TextureFields fields() const {
            return {quads_.fields(), places_.texture(), motions_.texture()};
        }
        std::vector<ByteArea> areas() const { return quads_.areas(); }
        void upload(Queue& queue, const std::vector<Particle<float>>& particles) const {
            quads_.upload(queue, particles);
        }
        std::vector<Particle<float>> downloaded(Queue& queue) const {
            return quads_.downloaded(queue);
        }

      private:
        using Binding = TextureBinding<float4, TextureShape::linear>;
        QuadFields::Store quads_;
        Binding places_;
        Binding motions_;
    };
};

CAMBER_TARGET_END
