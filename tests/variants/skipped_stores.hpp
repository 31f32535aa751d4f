// Mutants of any variant: kernels that omit stores to some output cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "harness/machine/simt/host_queue.hpp"
#include "harness/registry/registry.hpp"

namespace camber {

enum class Skipped { every_second_cell, every_cell };

// Undoes stores to the output fields when their block has ended or waits at a grid barrier: the
// launch's other blocks and the next launch do not see them.
class SkippedStores final : public simt::Recorder {
  public:
    using IsOutput = std::function<bool(std::string_view field)>;

    SkippedStores(Skipped skipped, IsOutput is_output)
        : skipped_(skipped), is_output_(std::move(is_output)) {}

    void record(const simt::Access& access) override {
        if (access.operation == Operation::load || access.field == nullptr ||
            !is_output_(access.field->name))
            return;
        const auto* const address = static_cast<const std::byte*>(access.address);
        const auto* const origin = static_cast<const std::byte*>(access.field->origin);
        const std::ptrdiff_t size = access.field->element_size;
        // An access may cover several cells, or a part of one.
        for (std::ptrdiff_t done = 0; done < access.size;) {
            const std::ptrdiff_t at = address + done - origin;
            const std::ptrdiff_t cell = at >= 0 ? at / size : -((-at + size - 1) / size);
            const std::ptrdiff_t end =
                std::min<std::ptrdiff_t>(access.size, done + (cell + 1) * size - at);
            const std::ptrdiff_t pitch = access.field->layout.pitch;
            const std::ptrdiff_t column = ((cell % pitch) + pitch) % pitch;
            if (skipped_ == Skipped::every_cell || column % 2 == 1)
                save(address + done, end - done);
            done = end;
        }
    }
    void end_block(const simt::Index3&) override {
        for (const auto& [address, bytes] : std::views::reverse(before_))
            std::memcpy(address, bytes.data(), bytes.size());
        before_.clear();
    }

    // Number of omitted stores.
    std::int64_t count() const { return count_; }

  private:
    void save(const std::byte* address, std::ptrdiff_t size) {
        before_.emplace_back(const_cast<std::byte*>(address),
                             std::vector<std::byte>(address, address + size));
        ++count_;
    }

    Skipped skipped_;
    IsOutput is_output_;
    std::vector<std::pair<std::byte*, std::vector<std::byte>>> before_;
    std::int64_t count_ = 0;
};

// Variant on the executor, on one CPU thread, without these stores. `count` is increased by the
// number of omitted stores.
inline Variant mutant_of(const Variant& variant, Skipped skipped, SkippedStores::IsOutput is_output,
                         std::int64_t& count) {
    class Mutant final : public Execution {
      public:
        Mutant(simt::HostQueue& queue, std::unique_ptr<Execution> whole, Skipped skipped,
               SkippedStores::IsOutput is_output, std::int64_t& count)
            : queue_(queue),
              whole_(std::move(whole)),
              stores_(skipped, std::move(is_output)),
              count_(count) {
            queue_.executor().set_recorder(&stores_);
        }
        ~Mutant() override {
            count_ += stores_.count();
            queue_.executor().set_recorder(nullptr);
        }
        void upload(const State& initial) override { whole_->upload(initial); }
        void download(State& result) override { whole_->download(result); }
        std::optional<CellsView> view(std::string_view field) const override {
            return whole_->view(field);
        }
        void poison(Poison poison) override { whole_->poison(poison); }
        void advance(int generations) override { whole_->advance(generations); }

      private:
        simt::HostQueue& queue_;
        std::unique_ptr<Execution> whole_;
        SkippedStores stores_;
        std::int64_t& count_;
    };
    Variant mutant = variant;
    mutant.factories = {{Backend::simt, [=, &count, make = variant.factories.at(Backend::simt)](
                                            Queue& queue, const Problem& problem) {
                             return std::make_unique<Mutant>(static_cast<simt::HostQueue&>(queue),
                                                             make(queue, problem), skipped,
                                                             is_output, count);
                         }}};
    return mutant;
}

}  // namespace camber
