// Predicted times for `camber model`: of which device, by which machine code.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "analysis/memory/bounds.hpp"
#include "analysis/time/machine.hpp"
#include "harness/cli/model/page.hpp"
#include "harness/results/code_table.hpp"
#include "harness/results/document.hpp"

namespace camber {

// The GPU that a file describes.
struct ModelDevice {
    results::Gpu gpu;
    HardwareLimits limits;
};

// Throws Error(usage) where the file has no limits of a GPU.
ModelDevice device_of(const results::Document& document);

// Predicts times on a device.
class TimePredictor {
  public:
    // Machine code is looked for in `measured` first, a run of the same variants if there is one,
    // then in the tables of the program.
    TimePredictor(const ModelDevice& device, const Architecture& architecture,
                  const results::Document* measured);

    // Sets the model's time, or why it has none.
    void predict(ModelledVariant& model) const;

    // Sentences about all predictions: what stands in for figures that the device's file lacks, and
    // why there are no times at all.
    std::vector<std::string> notes() const;

  private:
    const std::vector<results::Kernel>* code_of(const ModelledVariant& model) const;

    std::variant<Machine, std::string> machine_;
    std::vector<results::CodeTable> tables_;
    std::string stand_in_;  // a phrase, where no table is of the architecture
};

// Which of two is predicted to be faster, and why. Throws Error(usage) where one has no time.
std::string reason_between(const ModelledVariant& a, const ModelledVariant& b);

}  // namespace camber
