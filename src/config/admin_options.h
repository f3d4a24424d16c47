// The words of -ORBAdmin.
#pragma once

#include <string>
#include <vector>

#include <takt/transport/transport.h>

namespace takt::orb {

struct AdminOptions {
  std::vector<std::string> endpoints;
  bool changes = false;  // clients may change options

  // Throws BAD_PARAM for a word that is none of these, and for an
  // endpoint that other machines reach, unless `remote` is among the words.
  static AdminOptions of(const std::vector<std::string>& words,
                         const transport::TransportRegistry& transports);
};

}  // namespace takt::orb
