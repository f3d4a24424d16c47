// The model as JSON, for people and tools.
#pragma once

#include <string>

#include "model/model.h"

namespace takt::idl {

// The declarations of the main file in order, with types spelled out.
std::string to_json(const Unit& unit);

}  // namespace takt::idl
