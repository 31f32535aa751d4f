// The keys of a group (results/schema/camber-results.schema.json, definition "group").
#include "harness/record/group_fields.hpp"

namespace camber::results {

template <class A>
void fields(A& a, Of<A, BalancingRecord>& balancing) {
    a("rule", balancing.rule);
    a("every", balancing.every);
    a("rows", balancing.rows);
}

template <class A>
void fields(A& a, Of<A, StartRecord>& start) {
    a("rule", start.rule);
    a("blocks_per_multiprocessor", start.blocks_per_multiprocessor);
}

template <class A>
void fields(A& a, Of<A, RowDivisionRecord>& division) {
    a("generation", division.generation);
    a("rows", division.rows);
    a("moved_rows", division.moved_rows);
}

namespace {

template <class A>
void all_fields(A& a, Of<A, GroupRecord>& group) {
    a("kind", group.kind);
    a("places", group.places);
    a.some("devices", group.devices);
    a("weights", group.weights);
    a("partition", group.partition);
    a("allocation", group.allocation);
    a("exchange", group.exchange);
    a("overlap", group.overlap);
    a("halo_depth", group.halo_depth);
    a("edge_share", group.edge_share);
    a.may("border_buffers", group.border_buffers);
    a.may("host_wait", group.host_wait);
    a.may("minimum", group.minimum);
    a.may("balancing", group.balancing);
    a.may("start", group.start);
    a.some("rows", group.rows);
    a.may("moved_rows", group.moved_rows);
    a.some("divisions", group.divisions);
    a.may("exposed_transfer_ns", group.exposed_transfer_ns);
    a.may("barrier_wait_ns", group.barrier_wait_ns);
    a.may("imbalance", group.imbalance);
}

}  // namespace

void fields(Writer& a, const GroupRecord& group) {
    all_fields(a, group);
}
void fields(Reader& a, GroupRecord& group) {
    all_fields(a, group);
}

}  // namespace camber::results
