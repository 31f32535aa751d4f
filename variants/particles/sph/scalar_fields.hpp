// Particles with one array per number.
#pragma once

#include <cstddef>
#include <vector>

#include "variants/particles/sph/fields.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

// Each number in an array of its own.
template <class R>
struct ScalarFields {
    using Real = R;
    static constexpr const char* name = "scalars";

    struct Forces {
        Grid<R> x, y, z, rate;

        CAMBER_DEVICE Force<R> load(int slot) const {
            return {x(0, slot), y(0, slot), z(0, slot), rate(0, slot)};
        }
        CAMBER_DEVICE void store(int slot, const Force<R>& f) const {
            x(0, slot) = f.x;
            y(0, slot) = f.y;
            z(0, slot) = f.z;
            rate(0, slot) = f.rate;
        }
    };

    Grid<R> x, y, z, density;
    Grid<R> vx, vy, vz, pressure;

    template <Read read = Read::plain>
    CAMBER_DEVICE Location<R> point(int slot) const {
        return {loaded<read>(x, slot), loaded<read>(y, slot), loaded<read>(z, slot)};
    }
    template <Read read = Read::plain>
    CAMBER_DEVICE Place<R> place(int slot) const {
        return {loaded<read>(x, slot), loaded<read>(y, slot), loaded<read>(z, slot),
                loaded<read>(density, slot)};
    }
    template <Read read = Read::plain>
    CAMBER_DEVICE Motion<R> motion(int slot) const {
        return {loaded<read>(vx, slot), loaded<read>(vy, slot), loaded<read>(vz, slot),
                loaded<read>(pressure, slot)};
    }
    CAMBER_DEVICE void store(int slot, const Particle<R>& p) const {
        x(0, slot) = p.x;
        y(0, slot) = p.y;
        z(0, slot) = p.z;
        density(0, slot) = p.density;
        vx(0, slot) = p.vx;
        vy(0, slot) = p.vy;
        vz(0, slot) = p.vz;
        pressure(0, slot) = p.pressure;
    }

    class Store {
      public:
        Store(Queue& queue, std::size_t count)
            : rows_{Row<R>(queue, count, "x"),  Row<R>(queue, count, "y"),
                    Row<R>(queue, count, "z"),  Row<R>(queue, count, "density"),
                    Row<R>(queue, count, "vx"), Row<R>(queue, count, "vy"),
                    Row<R>(queue, count, "vz"), Row<R>(queue, count, "pressure")} {}

        ScalarFields fields() const {
            return {rows_[0].grid(), rows_[1].grid(), rows_[2].grid(), rows_[3].grid(),
                    rows_[4].grid(), rows_[5].grid(), rows_[6].grid(), rows_[7].grid()};
        }
        std::vector<ByteArea> areas() const {
            std::vector<ByteArea> areas;
            for (const Row<R>& row : rows_) areas.push_back(row.area());
            return areas;
        }
        void upload(Queue& queue, const std::vector<Particle<R>>& particles) const {
            std::vector<R> values(particles.size());
            for (int m = 0; m < members; ++m) {
                for (std::size_t s = 0; s < values.size(); ++s) values[s] = particles[s].*member[m];
                rows_[m].upload(queue, values);
            }
        }
        std::vector<Particle<R>> downloaded(Queue& queue) const {
            std::vector<Particle<R>> particles(rows_[0].count());
            for (int m = 0; m < members; ++m) {
                const std::vector<R> values = rows_[m].downloaded(queue);
                for (std::size_t s = 0; s < values.size(); ++s) particles[s].*member[m] = values[s];
            }
            return particles;
        }

      private:
        static constexpr int members = 8;
        using Member = R Particle<R>::*;
        static constexpr Member member[members] = {
            &Particle<R>::x,  &Particle<R>::y,  &Particle<R>::z,  &Particle<R>::density,
            &Particle<R>::vx, &Particle<R>::vy, &Particle<R>::vz, &Particle<R>::pressure};
        Row<R> rows_[members];
    };
    class ForceStore {
      public:
        ForceStore(Queue& queue, std::size_t count)
            : rows_{Row<R>(queue, count, "force_x"), Row<R>(queue, count, "force_y"),
                    Row<R>(queue, count, "force_z"), Row<R>(queue, count, "rate")} {}
        Forces forces() const {
            return {rows_[0].grid(), rows_[1].grid(), rows_[2].grid(), rows_[3].grid()};
        }
        std::vector<ByteArea> areas() const {
            return {rows_[0].area(), rows_[1].area(), rows_[2].area(), rows_[3].area()};
        }

      private:
        Row<R> rows_[4];
    };
};

CAMBER_TARGET_END
