// texture: every read is a fetch from a texture object, which is two-dimensional (texture_2d), so
// that its address mode handles cells beyond the edge, or a line of elements (texture_1d), so that
// the kernel tests for the edge. Fetches are unfiltered. CUDA C++ Programming Guide, "Texture
// Object API"; texture memory for cellular automata: Balasalle 2011, section 3.2.
#pragma once

#include <map>
#include <memory>

#include "variants/stencil/catalogue.hpp"

CAMBER_TARGET_BEGIN

template <TextureShape shape>
struct TexturesOf {
    template <class Tag>
    using Type = Texture<typename Tag::Type, shape>;
};

template <class Rule, TextureShape shape>
using Textures = typename Rule::Inputs::template Map<TexturesOf<shape>::template Type>;

// A two-dimensional texture returns 0 beyond the edge, which replaces the edge test for fields
// whose outside value is 0.
template <class Rule, TextureShape shape, Boundary boundary>
__global__ void texture_kernel(const Views<Rule> views, const Textures<Rule, shape> textures) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    const auto read = [&]<class Tag>(Tag tag, int dcol, int drow, Site site) -> typename Tag::Type {
        const auto& texture = get<Rule::Inputs::template index<Tag>>(textures);
        const int r = row + drow;
        const int c = column + dcol;
        if constexpr (Tag::radius == 0)
            return texture(r, c, site);
        else if constexpr (boundary == Boundary::dead && shape == TextureShape::pitched &&
                           Tag::outside() == 0)
            return texture(r, c, site);
        else
            return read_beyond_edge<boundary>(views, tag, texture, r, c, site);
    };
    store(views, row, column, apply(views, read));
}

// Creates textures for the buffers that a launch reads, once per buffer.
template <class Rule, TextureShape shape>
class TextureStage final : public RuleStage<Rule> {
  public:
    TextureStage(const StageContext& context, Region block)
        : RuleStage<Rule>(context), shape_(covering(context.problem.size, block)) {}

    void enqueue(int number) override {
        const auto kernel = this->torus() ? texture_kernel<Rule, shape, torus_if_any<Rule>>
                                          : texture_kernel<Rule, shape, Boundary::dead>;
        launch(this->queue(), kernel_label<Rule>(), shape_, kernel, this->views(number),
               textures());
    }

  private:
    template <class Tag>
    using Bindings =
        std::map<const void*, std::unique_ptr<TextureBinding<typename Tag::Type, shape>>>;

    template <class Tag>
    Texture<typename Tag::Type, shape> texture(Tag) {
        using T = typename Tag::Type;
        const void* base = this->store().current(Tag::field);
        auto& binding = get<Rule::Inputs::template index<Tag>>(bindings_)[base];
        if (!binding)
            binding = std::make_unique<TextureBinding<T, shape>>(
                this->queue(), static_cast<const T*>(base), this->store().layout(Tag::field),
                Tag::field);
        return binding->texture();
    }
    Textures<Rule, shape> textures() { return collect(typename Rule::Inputs{}); }
    template <class... Tags>
    Textures<Rule, shape> collect(InputList<Tags...>) {
        return values(texture(Tags{})...);
    }
    template <class First, class... Rest>
    static Values<First, Rest...> values(First first, Rest... rest) {
        return {first, values(rest...)};
    }
    static Values<> values() { return {}; }

    LaunchShape shape_;
    typename Rule::Inputs::template Map<Bindings> bindings_;
};

struct TextureFetch {
    static constexpr TechniqueInfo pitched_info{
        "texture_2d", "all reads by fetches from a two-dimensional texture",
        "CUDA C++ Programming Guide, Texture Object API; Balasalle 2011, section 3.2",
        Family::texture_or_constant};
    static constexpr TechniqueInfo linear_info{
        "texture_1d", "all reads by fetches from a texture that is a line of elements",
        "CUDA C++ Programming Guide, Texture Object API; Balasalle 2011, section 3.2",
        Family::texture_or_constant};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        add_shape<TextureShape::pitched>(catalogue, pitched_info);
        add_shape<TextureShape::linear>(catalogue, linear_info);
    }

  private:
    template <TextureShape shape, class Rule>
    static void add_shape(Catalogue<Rule>& catalogue, const TechniqueInfo& technique) {
        for (const Region block : {Region{16, 16}, Region{64, 4}}) {
            StepPlan plan = Catalogue<Rule>::plan_of(technique, {.block = block, .alignment = 128});
            plan.any_halo = false;  // the address mode replaces the halo
            plan.make = makes<TextureStage<Rule, shape>>(block);
            plan.unsupported = [](const Problem& problem) { return too_large<shape>(problem); };
            catalogue.add(std::move(plan));
        }
    }

    // CUDA C++ Programming Guide, table of compute capabilities (5.0 and later).
    template <TextureShape shape>
    static std::optional<std::string> too_large(const Problem& problem) {
        const Size size = problem.size;
        if constexpr (shape == TextureShape::pitched) {
            if (size.columns > 131072 || size.rows > 65000)
                return "needs a texture of " + std::to_string(size.columns) + "x" +
                       std::to_string(size.rows) + " cells, one has at most 131072x65000";
        } else {
            constexpr std::int64_t limit = std::int64_t{1} << 28;
            const std::int64_t padded = (std::int64_t{size.columns} + 127) / 128 * 128 * size.rows;
            if (padded > limit)
                return "needs a texture of " + std::to_string(padded) +
                       " elements, one has at most " + std::to_string(limit);
        }
        return std::nullopt;
    }
};

CAMBER_TARGET_END
