// All numbers of a launch's model in one fixed order, so that code can extrapolate, add or estimate
// them without knowing their meaning.
#pragma once

#include "analysis/memory/launch_model.hpp"

namespace camber {

template <class Visit>
void for_each_count(DistinctCounts& counts, Visit&& visit) {
    for (auto* count :
         {&counts.block_sectors, &counts.block_bytes, &counts.grid_sectors, &counts.grid_bytes}) {
        visit(*count);
    }
    for (std::int64_t& count : counts.returns) visit(count);
    for (std::int64_t& count : counts.of_others) visit(count);
}

template <class Visit>
void for_each_count(AccessCounts& counts, Visit&& visit) {
    for (TransferCounts* t :
         {&counts.global_load, &counts.global_store, &counts.global_atomic, &counts.texture_load,
          &counts.bulk_load, &counts.local_load, &counts.local_store}) {
        for (auto* count :
             {&t->requests, &t->transactions_32, &t->transactions_64, &t->transactions_128,
              &t->lines, &t->sectors, &t->bytes_moved, &t->useful_bytes, &t->instructions,
              &t->requested_bytes, &t->bank_passes}) {
            visit(*count);
        }
    }
    for (SharedCounts* s : {&counts.shared_load, &counts.shared_store, &counts.shared_atomic,
                            &counts.distributed_load, &counts.distributed_store,
                            &counts.distributed_atomic, &counts.constant_load}) {
        for (auto* count : {&s->passes, &s->minimum, &s->instructions}) visit(*count);
    }
    visit(counts.published.coalesced);
    visit(counts.published.uncoalesced);
}

template <class Visit>
void for_each_count(LaunchModel& launch, Visit&& visit) {
    visit(launch.blocks);
    for_each_count(launch.counts, visit);
    for (SiteCounts& site : launch.sites) for_each_count(site.counts, visit);
    for_each_count(launch.reads, visit);
    for_each_count(launch.writes, visit);
    visit(launch.distinct_sectors);
    visit(launch.rounds);
}

}  // namespace camber
