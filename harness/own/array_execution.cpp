#include "harness/own/candidate_variant.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/machine/queue/field_store.hpp"

namespace camber {

namespace {

// Two buffers of 16-bit floating-point NaN, one for each poison. Queue::poison() has patterns for
// the types of boards only, so a copy of these replaces its pattern in 16-bit arrays.
class ShortPoison {
  public:
    ShortPoison(Queue& queue, Scalar scalar, std::size_t bytes) : queue_(queue) {
        if (bytes == 0) return;
        for (const Poison poison : {Poison::first, Poison::second}) {
            Memory& memory = memory_[static_cast<std::size_t>(poison)];
            memory = Memory(queue, bytes);
            const auto pattern = poison_of(scalar, poison);
            if (queue.backend() == Backend::cuda) {
                queue.fill(memory.get(), bytes / 2, std::span(pattern).first(2));
                continue;
            }
            // Written directly, so that a checker still regards the bytes, and copies of them, as
            // never written.
            auto* const to = static_cast<std::byte*>(memory.get());
            for (std::size_t i = 0; i < bytes; i += 2) std::memcpy(to + i, pattern.data(), 2);
        }
    }
    void copy_to(void* array, std::size_t bytes, Poison poison) const {
        queue_.copy(array, memory_[static_cast<std::size_t>(poison)].get(), bytes);
    }

  private:
    Queue& queue_;
    Memory memory_[2];
};

class ArrayExecution final : public Execution {
  public:
    ArrayExecution(Queue& queue, const Problem& problem, std::shared_ptr<CandidateProgram> program)
        : problem_(problem),
          program_(std::move(program)),
          store_(queue),
          half_(queue, Scalar::float16, most_bytes(Scalar::float16)),
          bfloat_(queue, Scalar::bfloat16, most_bytes(Scalar::bfloat16)) {
        for (const NamedArray& array : program_->arrays()) add(array);
        std::vector<std::string> written;
        for (std::size_t i = 0; i < program_->kernels().size(); ++i) {
            Step step;
            for (const FieldUse& use : program_->kernels()[i].fields) {
                if (!use.written) continue;
                step.outputs.push_back(use.name);
                // Several kernels may each write a part of an array.
                if (std::ranges::find(written, use.name) != written.end()) continue;
                written.push_back(use.name);
                step.first_outputs.push_back(use.name);
            }
            step.stage = make_candidate_stage({queue, problem_, store_, constants_}, program_, i);
            steps_.push_back(std::move(step));
        }
    }

    void upload(const State& initial) override {
        store_.upload(initial);
        for (const Step& step : steps_) step.stage->uploaded();
        number_ = 0;
    }
    void download(State& result) override { store_.download(result); }
    void poison(Poison poison) override { poison_ = poison; }

    void advance(int generations) override {
        for (int done = 0; done < generations; ++done) {
            for (const Step& step : steps_) {
                if (poison_) poison_outputs(step, *poison_);
                step.stage->enqueue(number_);
                for (const std::string& array : step.outputs) store_.swap(array);
            }
            poison_.reset();
            ++number_;
        }
    }

  private:
    struct Step {
        std::unique_ptr<Stage> stage;
        std::vector<std::string> outputs;
        std::vector<std::string> first_outputs;  // not written by an earlier step
    };

    void add(const NamedArray& array) {
        const ElementType storage = array.storage();
        const int size = info(storage).size;
        const Size lines = array.storage_size();
        const bool two = std::ranges::any_of(program_->kernels(), [&](const BoundKernel& kernel) {
            return std::ranges::any_of(kernel.fields, [&](const FieldUse& use) {
                return use.name == array.name && use.read && use.written;
            });
        });
        const std::vector<std::byte> zero(static_cast<std::size_t>(size));
        store_.add(array.name, storage, Layout::make(lines.columns, lines.rows, 0, 1, size), zero,
                   two ? Buffers::two : Buffers::one);
    }

    std::size_t most_bytes(Scalar scalar) const {
        std::int64_t most = 0;
        for (const NamedArray& array : program_->arrays())
            if (array.type.scalar == scalar) most = std::max(most, array.bytes());
        return static_cast<std::size_t>(most);
    }

    void poison_outputs(const Step& step, Poison poison) {
        store_.poison_next(step.first_outputs, poison);
        for (const NamedArray& array : program_->arrays()) {
            const Scalar scalar = array.type.scalar;
            if ((scalar != Scalar::float16 && scalar != Scalar::bfloat16) ||
                std::ranges::find(step.first_outputs, array.name) == step.first_outputs.end())
                continue;
            (scalar == Scalar::float16 ? half_ : bfloat_)
                .copy_to(store_.next(array.name), static_cast<std::size_t>(array.bytes()), poison);
        }
    }

    Problem problem_;
    std::shared_ptr<CandidateProgram> program_;
    FieldStore store_;
    ShortPoison half_;
    ShortPoison bfloat_;
    ConstantOffsets constants_;
    std::vector<Step> steps_;
    int number_ = 0;
    std::optional<Poison> poison_;
};

}  // namespace

std::unique_ptr<Execution> array_execution(Queue& queue, const Problem& problem,
                                           std::shared_ptr<CandidateProgram> program) {
    return std::make_unique<ArrayExecution>(queue, problem, std::move(program));
}

}  // namespace camber
