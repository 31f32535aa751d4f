// Device and executor compile the same source, so they must register the same variants.
#include "harness/registry/registry.hpp"
#include "tests/catch.hpp"

namespace camber::twins_test {

TEST_CASE("what runs on a GPU runs on the executor under the same name", "[registry]") {
    for (const Variant& variant : registry().variants()) {
        if (!variant.factories.contains(Backend::cuda)) continue;
        CAPTURE(variant.info.name(), variant.info.shape.region.name());
        CHECK(variant.factories.contains(Backend::simt));
    }
}

}  // namespace camber::twins_test
