// Takt's calls of TTCP by generated stubs.
#pragma once

#include <takt/corba.h>

#include <string>
#include <vector>

#include "ttcp/client.h"
#include "ttcpC.h"

namespace bench {

struct Stubs : StubCalls<Stubs> {
  using Reference = IDL::traits<Ttcp::Receiver>::ref_type;
  IDL::traits<CORBA::ORB>::ref_type orb;

  Reference connect(const std::string& text) {
    return IDL::traits<Ttcp::Receiver>::narrow(orb->string_to_object(text));
  }
  template <class Unit>
  static std::vector<Unit> form(const std::vector<Unit>& units) {
    return units;
  }
  static Ttcp::StructSeq form(const std::vector<BinStruct>& units) {
    Ttcp::StructSeq structs;
    for (const auto& x : units) structs.emplace_back(x.s, x.c, x.l, x.o, x.d);
    return structs;
  }
#define TTCP_SEND(Type)                                                              \
  static void send(const Reference& to, const Ttcp::Type##Seq& units, bool oneway) { \
    oneway ? to->send##Type##Seq_1way(units) : to->send##Type##Seq_2way(units);      \
  }
  TTCP_TYPES(TTCP_SEND)
#undef TTCP_SEND
  static void ping(const Reference& to, bool oneway) {
    oneway ? to->sendNoParams_1way() : to->sendNoParams_2way();
  }
  static std::uint32_t digest(const Reference& from) { return from->digest(); }
};

}  // namespace bench
