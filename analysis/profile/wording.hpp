// Numbers as a person reads them.
#pragma once

#include <string>

namespace camber::profile {

std::string quantity(double amount);  // 1179648 -> "1.180 M"
std::string decimal(double number, int digits);

}  // namespace camber::profile
