// Reads a store into memory, at the start.
#pragma once

#include <expected>
#include <string>

#include "trading/service/parts.h"

namespace takt::trading {

// Fails with the reason if the data are damaged.
std::expected<void, std::string> restore(Parts& parts, const Store& store);

}  // namespace takt::trading
