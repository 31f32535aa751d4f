// The keys of a loop of a program text (results/schema/camber-results.schema.json, definition
// "region").
#include "harness/results/region_fields.hpp"

namespace camber::results {

void fields(Writer& a, const CodeRegion& region) {
    a("within", region.within);
    a("instructions", region.instructions);
}

void fields(Reader& a, CodeRegion& region) {
    a("within", region.within);
    a("instructions", region.instructions);
}

}  // namespace camber::results
