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

// The port of TLS in the components that follow in a profile; 0 if there is none (CORBA 3.0.3, 24.7.1).
inline std::uint16_t tls_port_in(cdr::Decoder& in) {
  constexpr std::uint32_t tls_tag = 20;
  std::uint16_t port = 0;
  std::uint32_t count = 0;
  for (in.get(count); count > 0 && in.ok(); --count) {
    std::uint32_t tag = 0;
    in.get(tag);
    std::uint32_t size = 0;
    in.get(size);
    const ByteView data = in.get_octets_view(size);
    if (tag == tls_tag)
      cdr::decapsulate(data, [&](cdr::Decoder& offer) {
        std::uint16_t supports_and_requires = 0;
        offer.get(supports_and_requires);
        offer.get(supports_and_requires);
        offer.get(port);
      });
  }
  return port;
}

// "host:port" of the first IIOP profile, the port that of TLS if there is no other; empty if there is none.
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
      if (port != 0) return;
      std::uint32_t key_size = 0;
      in.get(key_size);
      in.get_octets_view(key_size);
      port = tls_port_in(in);
    });
    if (read)
      return (host.find(':') == std::string::npos ? host : '[' + host + ']') + ':' + std::to_string(port);
  }
  return {};
}

}  // namespace takt::addresses
