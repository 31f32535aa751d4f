// constant: fields that never change are stored in constant memory; all others are read as in
// global. This requires that they fit into 64 KiB. Lanes of a warp read different addresses, which
// the constant cache serves one by one (Balasalle 2011, section 3.2, and chapter 7, which leaves it
// as future work for surface water).
#pragma once

#include "harness/machine/kernel/constant.hpp"
#include "variants/stencil/catalogue.hpp"

CAMBER_TARGET_BEGIN

// True if a tag declares `static constexpr bool constant = true`: nothing writes the field during a
// run.
template <class Tag>
CAMBER_HD constexpr bool is_constant() {
    if constexpr (requires { Tag::constant; })
        return Tag::constant;
    else
        return false;
}

template <class Rule>
constexpr int constant_fields() {
    int count = 0;
    Rule::Inputs::for_each([&]<class Tag>(Tag) { count += is_constant<Tag>(); });
    return count;
}

struct NotConstant {
    NotConstant(std::size_t, int, int, const char*) {}
};
template <class Tag>
using ConstantOf =
    std::conditional_t<is_constant<Tag>(), ConstantGrid<typename Tag::Type>, NotConstant>;

template <class Rule>
using Constants = typename Rule::Inputs::template Map<ConstantOf>;

// Stage that copies the constant fields to constant memory after the upload of the initial state.
// It is implemented in constant_stage.hpp, for translation units without any other kernels:
// constant memory in a module makes the launches of all of its kernels slower
// (harness/machine/kernel/constant.hpp).
template <class Rule>
class ConstantStage final : public RuleStage<Rule> {
  public:
    ConstantStage(const StageContext& context, Region block)
        : RuleStage<Rule>(context),
          shape_(covering(context.problem.size, block)),
          constants_(layout(typename Rule::Inputs{})) {}

    void uploaded() override;
    void enqueue(int number) override;

  private:
    template <class... Tags>
    Constants<Rule> layout(InputList<Tags...>) const {
        const Size size = this->problem().size;
        return values(
            ConstantOf<Tags>(offset_of(Tags::field), size.columns, size.rows, Tags::field)...);
    }
    // Offset of a field; 0 if the field is not constant.
    std::size_t offset_of(const char* field) const {
        const auto found = this->constants().find(field);
        return found == this->constants().end() ? 0 : found->second;
    }
    template <class First, class... Rest>
    static Values<First, Rest...> values(First first, Rest... rest) {
        return {first, values(rest...)};
    }
    static Values<> values() { return {}; }

    LaunchShape shape_;
    Constants<Rule> constants_;
};

struct Constant {
    static constexpr TechniqueInfo info{
        "constant", "unchanging fields in constant memory, the others read as in global",
        "Balasalle 2011, section 3.2 and chapter 7 (future work)", Family::texture_or_constant};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        if constexpr (constant_fields<Rule>() == 0) {
            catalogue.leave_out(info, "has no field that stays as it is");
        } else {
            for (const Region block : {Region{16, 16}, Region{64, 4}}) {
                StepPlan plan = Catalogue<Rule>::plan_of(info, {.block = block});
                Rule::Inputs::for_each([&]<class Tag>(Tag) {
                    for (FieldUse& use : plan.fields)
                        if (is_constant<Tag>() && use.name == Tag::field)
                            use.in_constant_memory = true;
                });
                plan.make = makes<ConstantStage<Rule>>(block);
                catalogue.add(std::move(plan));
            }
        }
    }
};

CAMBER_TARGET_END
