// The texts that an HTML report is put together from, embedded in the program when it is built.
#pragma once

#include <span>
#include <string_view>

namespace camber::page_assets {

struct Asset {
    std::string_view name;  // of the file, without its folder
    std::string_view text;
};

// page.html, page.css and the scripts, in the order in which they run.
std::string_view html();
std::string_view style();
std::span<const Asset> scripts();

// The charts' library, Vega: its modules by the names that they call each other by, the loader
// that they need, and its licence. No modules where the library was absent at build time.
std::span<const Asset> library_modules();
std::string_view library_loader();
std::string_view library_licence();

}  // namespace camber::page_assets
