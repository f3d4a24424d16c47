// omniORB as an OtherOrb.
#pragma once

#include "foreign/translator.h"

namespace takt::orb::others {

class Collector;

const Translator& omniorb();
// Takes the settings of a file of omniORB's: lines of `name = value`, and `= value` for another value of the
// last name. `origin` is the file's name.
void read_omniorb_file(std::string_view text, const std::string& origin, Collector& into);

}  // namespace takt::orb::others
