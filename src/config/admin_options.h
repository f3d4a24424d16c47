// The words of -ORBAdmin.
#pragma once

#include <string>
#include <vector>

#include <takt/transport/transport.h>

#include "config/settings.h"

namespace takt::orb {

struct AdminOptions {
  std::vector<std::string> endpoints;
  bool changes = false;  // clients may change options

  // Throws BAD_PARAM for `off` beside other words, and for an endpoint that other machines reach, unless
  // `remote` is among the words.
  static AdminOptions of(const OptionSet<AdminWord>& words, const transport::TransportRegistry& transports);
};

}  // namespace takt::orb
