// Particles as two float4.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "variants/particles/sph/fields.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

// Position with density, velocity with pressure: 16 bytes by one instruction each.
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

CAMBER_TARGET_END
