// global in three blocks, for the steps of a pipeline that are not what it is about.
#pragma once

#include "variants/techniques/global.hpp"

CAMBER_TARGET_BEGIN

struct PlainBlocks {
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        for (const Region block : {Region{8, 8}, Region{16, 16}, Region{32, 8}})
            catalogue.add(Global::info, {.path = block.name(),
                                         .block = block,
                                         .region = block,
                                         .halo = 0,
                                         .alignment = unaligned,
                                         .kernel = {global_kernel<Rule, Boundary::dead>}});
    }
};

CAMBER_TARGET_END
