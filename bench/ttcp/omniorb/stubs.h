// omniORB's calls of TTCP by generated stubs.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "ttcp.hh"
#include "ttcp/client.h"

namespace bench {

struct Stubs : StubCalls<Stubs> {
  using Reference = Ttcp::Receiver_var;
  CORBA::ORB_var orb;

  Reference connect(const std::string& text) {
    CORBA::Object_var object = orb->string_to_object(text.c_str());
    return Ttcp::Receiver::_unchecked_narrow(object);
  }

#define TTCP_FORM(Type, Unit) \
  static Ttcp::Type##Seq form(const std::vector<Unit>& units) { return copy<Ttcp::Type##Seq>(units); }
  TTCP_FORM(Short, std::int16_t)
  TTCP_FORM(Char, char)
  TTCP_FORM(Long, std::int32_t)
  TTCP_FORM(Octet, std::uint8_t)
  TTCP_FORM(Double, double)
#undef TTCP_FORM
  static Ttcp::StructSeq form(const std::vector<BinStruct>& units) {
    Ttcp::StructSeq structs;
    structs.length(static_cast<CORBA::ULong>(units.size()));
    for (CORBA::ULong i = 0; i < units.size(); ++i) {
      const auto& from = units[i];
      structs[i] = {from.s, static_cast<CORBA::Char>(from.c), from.l, from.o, from.d};
    }
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

 private:
  template <class Sequence, class Unit>
  static Sequence copy(const std::vector<Unit>& units) {
    Sequence sequence;
    sequence.length(static_cast<CORBA::ULong>(units.size()));
    std::copy(units.begin(), units.end(), sequence.get_buffer());
    return sequence;
  }
};

}  // namespace bench
