// The keys of campaign.json (results/schema/camber-results.schema.json).
#include <array>

#include "harness/record/campaign.hpp"
#include "harness/record/fields.hpp"

namespace camber::results {

std::string_view name(PartStatus status) {
    switch (status) {
        case PartStatus::not_started:
            return "not started";
        case PartStatus::incomplete:
            return "incomplete";
        case PartStatus::whole:
            return "whole";
        case PartStatus::failed:
            return "failed";
        case PartStatus::left_out:
            return "left out";
    }
    return "";
}

template <>
struct Names<PartStatus> {
    using E = PartStatus;
    static constexpr std::array all{E::not_started, E::incomplete, E::whole, E::failed,
                                    E::left_out};
    static std::string_view text(E status) { return name(status); }
};

template <class A>
void fields(A& a, Of<A, CampaignPart>& part) {
    a("name", part.name);
    a("command", part.command);
    a("purpose", part.purpose);
    a("status", part.status);
    a("reason", part.reason);
    a("seconds", part.seconds);
    a("cases", part.cases);
    a("wrong", part.wrong);
    a.may("hopeless", part.hopeless);
}

template <class A>
void fields(A& a, Of<A, Campaign>& campaign) {
    a("backend", campaign.backend);
    a("quick", campaign.quick);
    a.may("most_gpus", campaign.most_gpus);
    a.may("at_once", campaign.at_once);
    a("data", campaign.data);
    a("seconds", campaign.seconds);
    a("parts", campaign.parts);
}

Json to_json(const Campaign& campaign) {
    return written(campaign);
}
void from_json(const Json& json, Campaign& campaign) {
    read(json, campaign);
}

}  // namespace camber::results
