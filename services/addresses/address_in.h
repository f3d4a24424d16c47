// Contents of object references, for services to show.
#pragma once

#include <cstdint>
#include <string>

#include <takt/cdr/any.h>
#include <takt/cdr/decoder.h>
#include <takt/cdr/ior.h>
#include <takt/reference/object.h>
#include <takt/reference/reference_codec.h>

namespace takt::addresses {

inline cdr::Ior ior_of(const CORBA::object_reference<CORBA::Object>& object) {
  CORBA::Any any;
  any <<= object;
  cdr::Decoder decoder(any._content().octets, 0, cdr::any_format());
  cdr::Ior ior;
  cdr::read_ior(decoder, ior);
  return ior;
}

// "host:port" of the first IIOP profile; empty if there is none.
inline std::string address_in(const cdr::Ior& ior) {
  constexpr std::uint32_t iiop_tag = 0;
  for (const cdr::TaggedProfile& profile : ior.profiles) {
    if (profile.tag != iiop_tag) continue;
    std::string host;
    std::uint16_t port = 0;
    const bool read = cdr::decapsulate(profile.data, [&](cdr::Decoder& in) {
      std::uint8_t version = 0;
      in.get(version);
      in.get(version);
      host = in.get_raw_string_view();
      in.get(port);
    });
    if (read)
      return (host.find(':') == std::string::npos ? host : '[' + host + ']') + ':' + std::to_string(port);
  }
  return {};
}

}  // namespace takt::addresses
