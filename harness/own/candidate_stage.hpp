// A kernel of a file at work.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/own/bound_arguments.hpp"
#include "harness/own/host/plain_launch.hpp"
#include "harness/own/program.hpp"
#include "harness/registry/step.hpp"

namespace camber {

class CandidateStage final : public Stage {
  public:
    CandidateStage(const StageContext& context, std::shared_ptr<CandidateProgram> program,
                   std::size_t kernel);

    void uploaded() override;
    void enqueue(int number) override;
    void refresh_halo() override;

  private:
    // What a launch on the executor keeps until it has run.
    struct HostWork;

    // Output and the field that it starts as a copy of; "": it starts as zeros.
    struct OutputInit {
        std::string field;
        std::string copied;
        bool zero_outside = true;  // the halo and the padding are zeros, too
    };

    bool on_device() const { return context_.queue.backend() == Backend::cuda; }
    void take_grid();
    void take_resident_blocks();
    void take_output_starts();
    std::string copied_field(const FieldUse& output) const;
    void start_outputs();
    void fill_constants();
    void fill_halo(const std::string& field, bool next);
    void launch_on_host(std::size_t kernel, const char* name, const LaunchShape& shape,
                        std::shared_ptr<HostWork> work);

    StageContext context_;
    std::shared_ptr<CandidateProgram> program_;
    std::size_t number_;
    const BoundKernel& kernel_;
    BoundArguments bound_;
    LaunchShape shape_;
    std::vector<OutputInit> output_starts_;
    std::map<std::pair<const void*, TextureShape>, std::unique_ptr<DeviceTexture>> textures_;
    DeviceLibrary* device_ = nullptr;
};

}  // namespace camber
