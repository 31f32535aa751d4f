// A kernel of a file at work.
#pragma once

#include <map>
#include <memory>

#include "harness/candidate/bound_arguments.hpp"
#include "harness/candidate/host/plain_launch.hpp"
#include "harness/candidate/program.hpp"
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

    bool on_device() const { return context_.queue.backend() == Backend::cuda; }
    void take_resident_blocks();
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
    std::map<std::pair<const void*, TextureShape>, std::unique_ptr<DeviceTexture>> textures_;
    DeviceLibrary* device_ = nullptr;
};

}  // namespace camber
