// Numbers as a person reads them.
#pragma once

#include <string>

namespace camber::profile {

std::string percent(double share);     // 0.4567 -> "45.7 %"
std::string duration(double seconds);  // 1.2345e-5 -> "12.35 us"
std::string quantity(double amount);   // 1179648 -> "1.180 M"
std::string decimal(double number, int digits);

}  // namespace camber::profile
