// Values of IDL as octets, for the store and for offers in memory.
#pragma once

#include "sqlite/octets.h"

namespace takt::trading {

using sqlite::octets_of;
using sqlite::read_octets;
using sqlite::stored_format;

}  // namespace takt::trading
