// Particle layouts in kernel memory: building blocks, one array per number, and two float4 per
// particle. A particle's index in these arrays is its slot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <thread>
#include <type_traits>
#include <vector>

#include "harness/machine/kernel/vocabulary.hpp"
#include "workloads/core/parallel_rows.hpp"
#include "workloads/particles/sph/physics.hpp"

// Building blocks of particle layouts in kernel memory. A particle's index in these arrays is its
// slot.
CAMBER_WORKLOAD_BEGIN(sph)

// Position of a particle.
template <class R>
struct Location {
    R x, y, z;
};
template <class R>
struct Place {
    R x, y, z, density;
};

// Calls f(i) for each i below `count`, on as many threads as there are cores.
template <class F>
void each_below(std::size_t count, const F& f) {
    parallel_each(worthwhile_threads(static_cast<std::int64_t>(count),
                                     static_cast<int>(std::thread::hardware_concurrency())),
                  count, f);
}

// A row of elements on a queue.
template <class T>
class Row {
  public:
    Row(Queue& queue, std::size_t count, const char* name)
        : memory_(queue, count * sizeof(T)), count_(count), name_(name) {}

    T* data() const { return static_cast<T*>(memory_.get()); }
    std::size_t count() const { return count_; }
    std::size_t bytes() const { return count_ * sizeof(T); }
    Layout layout() const {
        return Layout::make(static_cast<int>(count_), 1, 0, unaligned, sizeof(T));
    }
    Grid<T> grid() const { return {data(), layout(), name_}; }
    ByteArea area() const {
        return {.first = memory_.get(),
                .pitch = bytes(),
                .rows = 1,
                .width = bytes(),
                .element = poisoned_as<T>()};
    }

    void upload(Queue& queue, const std::vector<T>& values) const {
        queue.upload(data(), bytes(), values.data(), bytes(), {bytes(), 1});
    }
    std::vector<T> downloaded(Queue& queue) const {
        std::vector<T> values(count_);
        queue.download(values.data(), bytes(), data(), bytes(), {bytes(), 1});
        return values;
    }

  private:
    Memory memory_;
    std::size_t count_;
    const char* name_;
};

// Load instruction for data that no thread writes during the kernel.
enum class Read { plain, read_only, texture };

template <Read read, class T>
CAMBER_DEVICE T loaded(const Grid<T>& grid, int slot, Site site = Site::current()) {
    if constexpr (read == Read::read_only)
        return grid.read_only(0, slot, site);
    else
        return grid(0, slot, site);
}

// Position of a particle, with its density if `Seen` is a Place. With one array per number, the
// density is a separate load.
template <class Seen, Read read, class Fields>
CAMBER_DEVICE Seen seen(const Fields& fields, int slot) {
    if constexpr (std::is_same_v<Seen, Location<typename Fields::Real>>)
        return fields.template point<read>(slot);
    else
        return fields.template place<read>(slot);
}

CAMBER_TARGET_END

// Particles with one array per number.
CAMBER_WORKLOAD_BEGIN(sph)

// Each number in its own array.
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

// Particles as two float4.
CAMBER_WORKLOAD_BEGIN(sph)

// Position with density, velocity with pressure: 16 bytes each, moved by one instruction.
struct QuadFields {
    using Real = float;
    static constexpr const char* name = "float4";

    struct Forces {
        Grid<float4> all;

        CAMBER_DEVICE Force<float> load(int slot) const {
            const float4 f = all(0, slot);
            return {f.x, f.y, f.z, f.w};
        }
        CAMBER_DEVICE void store(int slot, const Force<float>& f) const {
            all(0, slot) = make_float4(f.x, f.y, f.z, f.rate);
        }
    };

    Grid<float4> places;
    Grid<float4> motions;

    template <Read read = Read::plain>
    CAMBER_DEVICE Location<float> point(int slot) const {
        const float4 p = loaded<read>(places, slot);
        return {p.x, p.y, p.z};
    }
    template <Read read = Read::plain>
    CAMBER_DEVICE Place<float> place(int slot) const {
        const float4 p = loaded<read>(places, slot);
        return {p.x, p.y, p.z, p.w};
    }
    template <Read read = Read::plain>
    CAMBER_DEVICE Motion<float> motion(int slot) const {
        const float4 m = loaded<read>(motions, slot);
        return {m.x, m.y, m.z, m.w};
    }
    CAMBER_DEVICE void store(int slot, const Particle<float>& p) const {
        places(0, slot) = make_float4(p.x, p.y, p.z, p.density);
        motions(0, slot) = make_float4(p.vx, p.vy, p.vz, p.pressure);
    }

    // Storage for the fields of `count` particles.
    class Store {
      public:
        Store(Queue& queue, std::size_t count)
            : places_(queue, count, "place"), motions_(queue, count, "motion") {}

        QuadFields fields() const { return {places_.grid(), motions_.grid()}; }
        const Row<float4>& places() const { return places_; }
        const Row<float4>& motions() const { return motions_; }
        std::vector<ByteArea> areas() const { return {places_.area(), motions_.area()}; }
        void upload(Queue& queue, const std::vector<Particle<float>>& particles) const {
            std::vector<float4> places(particles.size());
            std::vector<float4> motions(particles.size());
            each_below(particles.size(), [&](std::size_t s) {
                const Particle<float>& p = particles[s];
                places[s] = make_float4(p.x, p.y, p.z, p.density);
                motions[s] = make_float4(p.vx, p.vy, p.vz, p.pressure);
            });
            places_.upload(queue, places);
            motions_.upload(queue, motions);
        }
        std::vector<Particle<float>> downloaded(Queue& queue) const {
            const std::vector<float4> places = places_.downloaded(queue);
            const std::vector<float4> motions = motions_.downloaded(queue);
            std::vector<Particle<float>> particles(places.size());
            each_below(places.size(), [&](std::size_t s) {
                const float4 p = places[s];
                const float4 m = motions[s];
                particles[s] = {p.x, p.y, p.z, p.w, m.x, m.y, m.z, m.w};
            });
            return particles;
        }

      private:
        Row<float4> places_;
        Row<float4> motions_;
    };
    class ForceStore {
      public:
        ForceStore(Queue& queue, std::size_t count) : all_(queue, count, "force") {}
        Forces forces() const { return {all_.grid()}; }
        // One row per particle, one column per number.
        Grid<float> numbers() const {
            const int count = static_cast<int>(all_.count());
            return {reinterpret_cast<float*>(all_.data()),
                    Layout::make(4, count, 0, unaligned, sizeof(float)), "force"};
        }
        void clear(Queue& queue) const {
            constexpr float4 none{};
            queue.fill(all_.data(), all_.count(), std::as_bytes(std::span(&none, 1)));
        }
        std::vector<ByteArea> areas() const { return {all_.area()}; }

      private:
        Row<float4> all_;
    };
};

CAMBER_TARGET_END
