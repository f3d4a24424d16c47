// The client of either peer in `script/bench invocation`: the calls of TTCP by generated stubs (SII) and by
// dynamic requests (DII).
#pragma once

#include <cstdint>
#include <string>

#include "ttcp/client.h"

namespace bench {

// How a call is made. A reused request is made before the measurement and sent again for each call. The
// others are made for each call, with an argument that exists already.
enum class Invocation { reused, made_anew, deferred };

template <class Unit>
constexpr const char* type_of_operation() {
  if constexpr (std::is_same_v<Unit, std::int16_t>) return "ShortSeq";
  if constexpr (std::is_same_v<Unit, char>) return "CharSeq";
  if constexpr (std::is_same_v<Unit, std::int32_t>) return "LongSeq";
  if constexpr (std::is_same_v<Unit, std::uint8_t>) return "OctetSeq";
  if constexpr (std::is_same_v<Unit, double>) return "DoubleSeq";
  if constexpr (std::is_same_v<Unit, BinStruct>) return "StructSeq";
}

inline std::string operation_name(const std::string& type, bool oneway) {
  return "send" + type + (oneway ? "_1way" : "_2way");
}

template <class Peer, class Orb>
void drive_ttcp(const Orb& orb, const Options& options) {
  Peer peer;
  peer.orb = orb;
  TtcpDriver(peer, options).run();
}

}  // namespace bench
