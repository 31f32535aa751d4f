# The target camber-measured-campaigns: the list of campaign parts, and results/*/campaign.json, which
# predict the duration of a campaign, embedded in the program.
set(part_list ${PROJECT_SOURCE_DIR}/harness/cli/campaign/parts.json)
file(READ ${part_list} part_list_text)
file(GLOB campaign_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/results/*/campaign.json)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${campaign_files} ${part_list})
set(campaign_entries "")
foreach(file IN LISTS campaign_files)
  file(READ ${file} text)
  string(APPEND campaign_entries "        R\"campaign(${text})campaign\",\n")
endforeach()
set(campaign_source ${CMAKE_BINARY_DIR}/measured_campaigns.cpp)
file(CONFIGURE OUTPUT ${campaign_source} @ONLY CONTENT
"#include <string_view>
#include <vector>

namespace camber {

const std::vector<std::string_view>& measured_campaigns() {
    static const std::vector<std::string_view> texts{
@campaign_entries@    };
    return texts;
}

std::string_view part_list_text() { return R\"parts(@part_list_text@)parts\"; }

}  // namespace camber
")
add_library(camber-measured-campaigns STATIC ${campaign_source})
target_compile_features(camber-measured-campaigns PRIVATE cxx_std_20)
