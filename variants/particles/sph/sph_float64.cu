// Neighbor lists in double precision, with particles as two vectors of four doubles or as separate
// numbers.
#include <cstddef>
#include <vector>

#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/fields.hpp"

// Particles as two vectors of four doubles, each one sector. A thread loads a sector as two 16-byte
// halves, the widest load up to compute capability 9.
CAMBER_WORKLOAD_BEGIN(sph)

struct DoubleQuadFields {
    using Real = double;
    static constexpr const char* name = "double4";

    // One row per slot, in two halves.
    struct Quads {
        Grid<double2> halves;

        template <Read read = Read::plain>
        CAMBER_DEVICE double2 half(int slot, int which) const {
            if constexpr (read == Read::read_only)
                return halves.read_only(slot, which);
            else
                return halves(slot, which);
        }
        CAMBER_DEVICE void store(int slot, double x, double y, double z, double w) const {
            halves(slot, 0) = make_double2(x, y);
            halves(slot, 1) = make_double2(z, w);
        }
    };

    struct Forces {
        Quads all;

        CAMBER_DEVICE Force<double> load(int slot) const {
            const double2 first = all.half(slot, 0);
            const double2 second = all.half(slot, 1);
            return {first.x, first.y, second.x, second.y};
        }
        CAMBER_DEVICE void store(int slot, const Force<double>& f) const {
            all.store(slot, f.x, f.y, f.z, f.rate);
        }
    };

    Quads places;
    Quads motions;

    template <Read read = Read::plain>
    CAMBER_DEVICE Location<double> point(int slot) const {
        const Place<double> p = place<read>(slot);
        return {p.x, p.y, p.z};
    }
    template <Read read = Read::plain>
    CAMBER_DEVICE Place<double> place(int slot) const {
        const double2 first = places.half<read>(slot, 0);
        const double2 second = places.half<read>(slot, 1);
        return {first.x, first.y, second.x, second.y};
    }
    template <Read read = Read::plain>
    CAMBER_DEVICE Motion<double> motion(int slot) const {
        const double2 first = motions.half<read>(slot, 0);
        const double2 second = motions.half<read>(slot, 1);
        return {first.x, first.y, second.x, second.y};
    }
    CAMBER_DEVICE void store(int slot, const Particle<double>& p) const {
        places.store(slot, p.x, p.y, p.z, p.density);
        motions.store(slot, p.vx, p.vy, p.vz, p.pressure);
    }

    class QuadRow {
      public:
        QuadRow(Queue& queue, std::size_t count, const char* name)
            : layout_(
                  Layout::make(2, static_cast<int>(count), 0, sizeof(double2), sizeof(double2))),
              halves_(queue, 2 * count, name),
              name_(name) {}
        Quads quads() const { return {{halves_.data(), layout_, name_}}; }
        ByteArea area() const { return halves_.area(); }
        const Row<double2>& halves() const { return halves_; }

      private:
        Layout layout_;
        Row<double2> halves_;
        const char* name_;
    };

    class Store {
      public:
        Store(Queue& queue, std::size_t count)
            : places_(queue, count, "place"), motions_(queue, count, "motion") {}

        DoubleQuadFields fields() const { return {places_.quads(), motions_.quads()}; }
        std::vector<ByteArea> areas() const { return {places_.area(), motions_.area()}; }
        void upload(Queue& queue, const std::vector<Particle<double>>& particles) const {
            std::vector<double2> places, motions;
            for (const Particle<double>& p : particles) {
                places.push_back(make_double2(p.x, p.y));
                places.push_back(make_double2(p.z, p.density));
                motions.push_back(make_double2(p.vx, p.vy));
                motions.push_back(make_double2(p.vz, p.pressure));
            }
            places_.halves().upload(queue, places);
            motions_.halves().upload(queue, motions);
        }
        std::vector<Particle<double>> downloaded(Queue& queue) const {
            const std::vector<double2> places = places_.halves().downloaded(queue);
            const std::vector<double2> motions = motions_.halves().downloaded(queue);
            std::vector<Particle<double>> particles;
            for (std::size_t h = 0; h < places.size(); h += 2)
                particles.push_back({places[h].x, places[h].y, places[h + 1].x, places[h + 1].y,
                                     motions[h].x, motions[h].y, motions[h + 1].x,
                                     motions[h + 1].y});
            return particles;
        }

      private:
        QuadRow places_;
        QuadRow motions_;
    };
    class ForceStore {
      public:
        ForceStore(Queue& queue, std::size_t count) : all_(queue, count, "force") {}
        Forces forces() const { return {all_.quads()}; }
        std::vector<ByteArea> areas() const { return {all_.area()}; }

      private:
        QuadRow all_;
    };
};

CAMBER_TARGET_END

namespace camber::sph {

// Expected performance for a million particles on an H200, compared with float: a pair loads two
// whole sectors of 32 bytes instead of half of each of two sectors, so L1 serves 68 bytes per pair
// instead of 36. A pair's 90 instructions run in pipes of half the width, 64 lanes instead of 128,
// and a root and a division in double are some 20 instructions each: about twice the time of float.

namespace {

const Registration doubles([](Registry& registry) {
    registry.add(
        variant_of<Form<InterleavedList, DoubleQuadFields, Read::read_only>>(list_technique, 128));
    registry.add(variant_of<Form<InterleavedList, ScalarFields<double>, Read::read_only>>(
        list_technique, 128));
    registry.add(variant_of<Form<ParticleList, DoubleQuadFields, Read::read_only>>(
        particle_list_technique, 128));
});

}  // namespace
}  // namespace camber::sph
