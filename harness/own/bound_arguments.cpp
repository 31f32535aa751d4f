#include "harness/own/bound_arguments.hpp"

namespace camber {

ExpressionValue BoundArguments::value(const Argument& argument, int generation) const {
    using Kind = Argument::Kind;
    const auto whole = [](int number) {
        return ExpressionValue{static_cast<double>(number), true};
    };
    switch (argument.kind) {
        case Kind::columns:
            return whole(context_.problem.size.columns);
        case Kind::rows:
            return whole(context_.problem.size.rows);
        case Kind::pitch:
            return whole(context_.store.layout(argument.field).pitch);
        case Kind::halo:
            return whole(kernel_.fields.empty()
                             ? 0
                             : context_.store.layout(kernel_.fields.front().name).halo);
        case Kind::generation:
            return whole(generation);
        case Kind::expression:
            return argument.expression->evaluate(
                [&](std::size_t word) { return value(argument.words[word], generation); });
        default:
            if (argument.number.empty()) return {argument.value, argument.whole};
            return {numbers(argument.number).at(argument.index), false};
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
