// TAO as an OtherOrb.
#pragma once

#include <string>
#include <string_view>

#include "foreign/translator.h"

namespace takt::orb::others {

class Collector;

const Translator& tao();
// Takes the settings of a svc.conf, or of one of its directives. `origin` is the file's name.
void read_svc_conf(std::string_view text, const std::string& origin, Collector& into);

}  // namespace takt::orb::others
