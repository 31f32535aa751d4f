#include "harness/candidate/bound_arguments.hpp"

namespace camber {

double BoundArguments::number(const Argument& argument, int generation) const {
    using Kind = Argument::Kind;
    switch (argument.kind) {
        case Kind::columns:
            return context_.problem.size.columns;
        case Kind::rows:
            return context_.problem.size.rows;
        case Kind::pitch:
            return context_.store.layout(argument.field).pitch;
        case Kind::halo:
            return kernel_.fields.empty() ? 0
                                          : context_.store.layout(kernel_.fields.front().name).halo;
        case Kind::generation:
            return generation;
        default:
            return argument.number.empty() ? argument.value
                                           : numbers(argument.number).at(argument.index);
    }
}

void* BoundArguments::cells(const Argument& argument) const {
    const FieldStore& store = context_.store;
    void* const base = argument.kind == Argument::Kind::output ? store.next(argument.field)
                                                               : store.current(argument.field);
    return static_cast<std::byte*>(base) +
           store.layout(argument.field).origin() * info(store.element(argument.field)).size;
}

}  // namespace camber
