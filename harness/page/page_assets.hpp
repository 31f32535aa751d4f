// Templates, scripts and chart library of an HTML report, embedded in the program by the build.
#pragma once

#include <span>
#include <string_view>

namespace camber::page_assets {

struct Asset {
    std::string_view name;  // file name without folder
    std::string_view text;
};

// page.html, page.css and the scripts in execution order.
std::string_view html();
std::string_view style();
std::span<const Asset> scripts();

// The chart library Vega: its modules by the names under which they import each other, the loader
// that they need, and the license. No modules if the library was absent at build time.
std::span<const Asset> library_modules();
std::string_view library_loader();
std::string_view library_licence();

}  // namespace camber::page_assets
