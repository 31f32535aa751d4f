// Field layouts and access paths for neighbors: records of 32 bytes, and textures.
#include <cstddef>
#include <vector>

#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/fields.hpp"

// Particles as records of 32 bytes, an array of structures: the data of a neighbor are one sector,
// whereas two arrays of float4 touch half of two sectors.
CAMBER_WORKLOAD_BEGIN(sph)

struct RecordFields {
    using Real = float;
    static constexpr const char* name = "records";
    using Forces = QuadFields::Forces;
    using ForceStore = QuadFields::ForceStore;

    Grid<float4> records;  // one row each: position with density, velocity with pressure

    template <Read read = Read::plain>
    CAMBER_DEVICE Location<float> point(int slot) const {
        const float4 p = half<read>(slot, 0);
        return {p.x, p.y, p.z};
    }
    template <Read read = Read::plain>
    CAMBER_DEVICE Place<float> place(int slot) const {
        const float4 p = half<read>(slot, 0);
        return {p.x, p.y, p.z, p.w};
    }
    template <Read read = Read::plain>
    CAMBER_DEVICE Motion<float> motion(int slot) const {
        const float4 m = half<read>(slot, 1);
        return {m.x, m.y, m.z, m.w};
    }
    CAMBER_DEVICE void store(int slot, const Particle<float>& p) const {
        records(slot, 0) = make_float4(p.x, p.y, p.z, p.density);
        records(slot, 1) = make_float4(p.vx, p.vy, p.vz, p.pressure);
    }

    class Store {
      public:
        Store(Queue& queue, std::size_t count)
            : layout_(Layout::make(2, static_cast<int>(count), 0, sizeof(float4), sizeof(float4))),
              halves_(queue, 2 * count, "record") {}

        RecordFields fields() const { return {{halves_.data(), layout_, "record"}}; }
        std::vector<ByteArea> areas() const { return {halves_.area()}; }
        void upload(Queue& queue, const std::vector<Particle<float>>& particles) const {
            std::vector<float4> halves;
            for (const Particle<float>& p : particles) {
                halves.push_back(make_float4(p.x, p.y, p.z, p.density));
                halves.push_back(make_float4(p.vx, p.vy, p.vz, p.pressure));
            }
            halves_.upload(queue, halves);
        }
        std::vector<Particle<float>> downloaded(Queue& queue) const {
            const std::vector<float4> halves = halves_.downloaded(queue);
            std::vector<Particle<float>> particles;
            for (std::size_t h = 0; h < halves.size(); h += 2) {
                const float4 p = halves[h];
                const float4 m = halves[h + 1];
                particles.push_back({p.x, p.y, p.z, p.w, m.x, m.y, m.z, m.w});
            }
            return particles;
        }

      private:
        Layout layout_;
        Row<float4> halves_;
    };

  private:
    template <Read read>
    CAMBER_DEVICE float4 half(int slot, int which) const {
        if constexpr (read == Read::read_only)
            return records.read_only(slot, which);
        else
            return records(slot, which);
    }
};

CAMBER_TARGET_END

// Particles as two float4, with neighbors fetched through the texture unit, whose cache served
// scattered reads on GPUs at the time of the source.
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

namespace camber::sph {

namespace {

constexpr TechniqueInfo records_technique{
    "neighbour_list_records", "as neighbour_list, a particle's eight numbers in 32 bytes",
    "the layout against which Rustico 2012, section 7.3.3, has structures of arrays",
    Family::global_memory};
constexpr TechniqueInfo texture_technique{
    "neighbour_list_texture", "as neighbour_list, neighbours fetched as textures",
    "after Rustico 2012, section 3.2, on textures", Family::texture_or_constant};

const Registration layouts([](Registry& registry) {
    registry.add(
        variant_of<Form<InterleavedList, RecordFields, Read::plain>>(records_technique, 128));
    registry.add(
        variant_of<Form<InterleavedList, TextureFields, Read::texture>>(texture_technique, 128));
});

}  // namespace
}  // namespace camber::sph
