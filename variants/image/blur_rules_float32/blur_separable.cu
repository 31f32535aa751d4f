// The 3x3 blur by the rule "separable": the plainest techniques, and those that compute several
// generations per launch as rows stream by.
#include "variants/techniques/bulk_copy.hpp"
#include "variants/techniques/halo.hpp"
#include "variants/techniques/register_stream.hpp"
#include "variants/techniques/row_stream.hpp"
#include "variants/techniques/techniques.hpp"
#include "workloads/image/blur/rule.hpp"

namespace camber {
namespace {

const Registration blur_separable([](Registry& registry) {
    TechniqueList<Halo, RowStream, RegisterStream, BulkCopy>::add_to(
        Catalogue<BlurSeparable>(registry, "blur", ElementType::float32));
});

}  // namespace
}  // namespace camber
