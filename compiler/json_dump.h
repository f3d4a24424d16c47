// The model as JSON, for people and for tools.
#pragma once

#include <string>

#include "model/model.h"

namespace takt::idl {

// What the main file declares, in order, with types spelled out.
std::string to_json(const Unit& unit);

}  // namespace takt::idl
