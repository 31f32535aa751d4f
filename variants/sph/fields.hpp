// Particles where kernels run: as two float4, or each number in an array of its own. A particle's
// place in the arrays is its slot.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "harness/kernel/vocabulary.hpp"
#include "workloads/sph/physics.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

using Motion = ForceSum<float>::Motion;

struct Place {
    float x, y, z, density;
};

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
    ByteArea area() const { return {memory_.get(), bytes(), 1, bytes()}; }

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

// How a kernel loads what no one writes while it runs.
enum class Read { plain, read_only, texture };

template <Read read, class T>
CAMBER_DEVICE T loaded(const Grid<T>& grid, int slot, Site site = Site::current()) {
    if constexpr (read == Read::read_only)
        return grid.read_only(0, slot, site);
    else
        return grid(0, slot, site);
}

// Position with density, velocity with pressure: 16 bytes by one instruction each.
struct QuadFields {
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
    CAMBER_DEVICE Place place(int slot) const {
        const float4 p = loaded<read>(places, slot);
        return {p.x, p.y, p.z, p.w};
    }
    template <Read read = Read::plain>
    CAMBER_DEVICE Motion motion(int slot) const {
        const float4 m = loaded<read>(motions, slot);
        return {m.x, m.y, m.z, m.w};
    }
    CAMBER_DEVICE void store(int slot, const Particle<float>& p) const {
        places(0, slot) = make_float4(p.x, p.y, p.z, p.density);
        motions(0, slot) = make_float4(p.vx, p.vy, p.vz, p.pressure);
    }

    // What holds the fields of so many particles.
    class Store {
      public:
        Store(Queue& queue, std::size_t count)
            : places_(queue, count, "place"), motions_(queue, count, "motion") {}

        QuadFields fields() const { return {places_.grid(), motions_.grid()}; }
        const Row<float4>& places() const { return places_; }
        const Row<float4>& motions() const { return motions_; }
        std::vector<ByteArea> areas() const { return {places_.area(), motions_.area()}; }
        void upload(Queue& queue, const std::vector<Particle<float>>& particles) const {
            std::vector<float4> places, motions;
            for (const Particle<float>& p : particles) {
                places.push_back(make_float4(p.x, p.y, p.z, p.density));
                motions.push_back(make_float4(p.vx, p.vy, p.vz, p.pressure));
            }
            places_.upload(queue, places);
            motions_.upload(queue, motions);
        }
        std::vector<Particle<float>> downloaded(Queue& queue) const {
            const std::vector<float4> places = places_.downloaded(queue);
            const std::vector<float4> motions = motions_.downloaded(queue);
            std::vector<Particle<float>> particles;
            for (std::size_t s = 0; s < places.size(); ++s) {
                const float4 p = places[s];
                const float4 m = motions[s];
                particles.push_back({p.x, p.y, p.z, p.w, m.x, m.y, m.z, m.w});
            }
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
        // A row for each particle, a number in each column.
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

// Each number in an array of its own.
struct ScalarFields {
    static constexpr const char* name = "scalars";

    struct Forces {
        Grid<float> x, y, z, rate;

        CAMBER_DEVICE Force<float> load(int slot) const {
            return {x(0, slot), y(0, slot), z(0, slot), rate(0, slot)};
        }
        CAMBER_DEVICE void store(int slot, const Force<float>& f) const {
            x(0, slot) = f.x;
            y(0, slot) = f.y;
            z(0, slot) = f.z;
            rate(0, slot) = f.rate;
        }
    };

    Grid<float> x, y, z, density;
    Grid<float> vx, vy, vz, pressure;

    template <Read read = Read::plain>
    CAMBER_DEVICE Place place(int slot) const {
        return {loaded<read>(x, slot), loaded<read>(y, slot), loaded<read>(z, slot),
                loaded<read>(density, slot)};
    }
    template <Read read = Read::plain>
    CAMBER_DEVICE Motion motion(int slot) const {
        return {loaded<read>(vx, slot), loaded<read>(vy, slot), loaded<read>(vz, slot),
                loaded<read>(pressure, slot)};
    }
    CAMBER_DEVICE void store(int slot, const Particle<float>& p) const {
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
            : rows_{Row<float>(queue, count, "x"),  Row<float>(queue, count, "y"),
                    Row<float>(queue, count, "z"),  Row<float>(queue, count, "density"),
                    Row<float>(queue, count, "vx"), Row<float>(queue, count, "vy"),
                    Row<float>(queue, count, "vz"), Row<float>(queue, count, "pressure")} {}

        ScalarFields fields() const {
            return {rows_[0].grid(), rows_[1].grid(), rows_[2].grid(), rows_[3].grid(),
                    rows_[4].grid(), rows_[5].grid(), rows_[6].grid(), rows_[7].grid()};
        }
        std::vector<ByteArea> areas() const {
            std::vector<ByteArea> areas;
            for (const Row<float>& row : rows_) areas.push_back(row.area());
            return areas;
        }
        void upload(Queue& queue, const std::vector<Particle<float>>& particles) const {
            std::vector<float> values(particles.size());
            for (int m = 0; m < members; ++m) {
                for (std::size_t s = 0; s < values.size(); ++s) values[s] = particles[s].*member[m];
                rows_[m].upload(queue, values);
            }
        }
        std::vector<Particle<float>> downloaded(Queue& queue) const {
            std::vector<Particle<float>> particles(rows_[0].count());
            for (int m = 0; m < members; ++m) {
                const std::vector<float> values = rows_[m].downloaded(queue);
                for (std::size_t s = 0; s < values.size(); ++s) particles[s].*member[m] = values[s];
            }
            return particles;
        }

      private:
        static constexpr int members = 8;
        using Member = float Particle<float>::*;
        static constexpr Member member[members] = {
            &Particle<float>::x,       &Particle<float>::y,       &Particle<float>::z,
            &Particle<float>::density, &Particle<float>::vx,      &Particle<float>::vy,
            &Particle<float>::vz,      &Particle<float>::pressure};
        Row<float> rows_[members];
    };
    class ForceStore {
      public:
        ForceStore(Queue& queue, std::size_t count)
            : rows_{Row<float>(queue, count, "force_x"), Row<float>(queue, count, "force_y"),
                    Row<float>(queue, count, "force_z"), Row<float>(queue, count, "rate")} {}
        Forces forces() const {
            return {rows_[0].grid(), rows_[1].grid(), rows_[2].grid(), rows_[3].grid()};
        }
        std::vector<ByteArea> areas() const {
            return {rows_[0].area(), rows_[1].area(), rows_[2].area(), rows_[3].area()};
        }

      private:
        Row<float> rows_[4];
    };
};

CAMBER_TARGET_END
