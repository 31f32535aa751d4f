// MAGFLOW in single precision, as published.
#include "variants/magflow/pipelines.hpp"

namespace camber {
namespace {

const Registration variants([](Registry& registry) {
    add_magflow<float, MagflowTechniques<TextureFetch>>(registry);
    for (const char* wide :
         {"two_element", "packed", "two_element_packed", "row_stream", "column_stream"})
        registry.leave_out("magflow", wide, too_heavy);
    for (const char* whole : {"two_generation", "two_generation_const", "two_generation_linear",
                              "two_generation_linear_load", "two_element_two_generation_linear",
                              "two_element_two_generation_linear_load", "n_generations"})
        registry.leave_out("magflow", whole,
                           "computes a generation in several kernels, and the technique needs it "
                           "in one");
    registry.leave_out("magflow", "thread_per_input",
                       "loads one cell per thread, and the rule reads several fields");
});

}  // namespace
}  // namespace camber
