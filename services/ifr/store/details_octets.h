// The details of a definition as octets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ifr/model/definition.h"

namespace takt::ifr {

std::vector<std::uint8_t> octets_of(const Details& details);
// False if the octets are damaged.
bool read_details(std::span<const std::uint8_t> octets, Details& details);

}  // namespace takt::ifr
