// Implementation of stages with fields in constant memory. Include it in a translation unit of a
// workload without other kernels, which instantiates ConstantStage for each rule with such fields.
#pragma once

#include "variants/techniques/constant.hpp"

CAMBER_TARGET_BEGIN

template <class Rule, Boundary boundary>
__global__ void constant_kernel(const Views<Rule> views, const Constants<Rule> constants) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    const auto read = [&]<class Tag>(Tag tag, int dcol, int drow, Site site) {
        const int r = row + drow;
        const int c = column + dcol;
        if constexpr (is_constant<Tag>())
            return read_beyond_edge<boundary>(
                views, tag, get<Rule::Inputs::template index<Tag>>(constants), r, c, site);
        else
            return read_beyond_edge<boundary>(views, tag, views.input(tag), r, c, site);
    };
    store(views, row, column, apply(views, read));
}

template <class Rule>
void ConstantStage<Rule>::uploaded() {
    RuleStage<Rule>::uploaded();
    const Size size = this->problem().size;
    Rule::Inputs::for_each([&]<class Tag>(Tag) {
        if constexpr (is_constant<Tag>()) {
            using T = typename Tag::Type;
            std::byte* to = constant_address<Rule>() + offset_of(Tag::field);
            const Layout& layout = this->store().layout(Tag::field);
            const T* interior =
                static_cast<const T*>(this->store().current(Tag::field)) + layout.origin();
            for (int row = 0; row < size.rows; ++row)
                this->queue().copy(to + sizeof(T) * row * size.columns,
                                   interior + static_cast<std::ptrdiff_t>(row) * layout.pitch,
                                   sizeof(T) * size.columns);
        }
    });
}

template <class Rule>
void ConstantStage<Rule>::enqueue(int number) {
    const auto kernel = this->torus() ? constant_kernel<Rule, torus_if_any<Rule>>
                                      : constant_kernel<Rule, Boundary::dead>;
    launch(this->queue(), kernel_label<Rule>(), shape_, kernel, this->views(number), constants_);
}

CAMBER_TARGET_END
