// Contents of object references, for services to show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <takt/cdr/any.h>
#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>
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

// The tags of an IIOP profile, and of the component that offers TLS.
inline constexpr std::uint32_t iiop_tag = 0, tls_tag = 20;

// The port of TLS in the components that follow in a profile; 0 if there is none (CORBA 3.0.3, 24.7.1).
inline std::uint16_t tls_port_in(cdr::Decoder& in) {
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

// The profile without its components, which may name further addresses; that of TLS, which has only a port,
// stays. Returns false if the profile cannot be read.
inline bool remove_components(cdr::TaggedProfile& profile) {
  std::uint8_t major = 0, minor = 0;
  std::uint16_t port = 0;
  std::string host;
  std::vector<std::uint8_t> key;
  std::vector<ByteView> tls;
  const auto octets_in = [](cdr::Decoder& in) {
    std::uint32_t size = 0;
    in.get(size);
    return in.get_octets_view(size);
  };
  const bool read = cdr::decapsulate(profile.data, [&](cdr::Decoder& in) {
    in.get(major);
    in.get(minor);
    host = in.get_raw_string_view();
    in.get(port);
    const ByteView octets = octets_in(in);
    key.assign(octets.begin(), octets.end());
    std::uint32_t count = 0;
    if (minor > 0) in.get(count);
    for (; count > 0 && in.ok(); --count) {
      std::uint32_t tag = 0;
      in.get(tag);
      if (const ByteView data = octets_in(in); tag == tls_tag && tls.empty()) tls.push_back(data);
    }
  });
  if (!read) return false;
  profile.data = cdr::encapsulate([&](cdr::Encoder& out) {
    out.put(major);
    out.put(minor);
    out.put_raw_string(host);
    out.put(port);
    out.put_count(key.size());
    out.put_octets(key);
    if (minor > 0) out.put_count(tls.size());
    for (const ByteView data : tls) {
      out.put(tls_tag);
      out.put_count(data.size());
      out.put_octets(data);
    }
  });
  return true;
}

// The reference with only the address that address_in() tells, at which TLS may have a port of its own.
// Nothing if there is no such address.
inline std::optional<cdr::Ior> with_one_address(const cdr::Ior& ior) {
  for (const cdr::TaggedProfile& profile : ior.profiles) {
    cdr::Ior one{ior.type_id, {profile}};
    if (address_in(one).empty()) continue;
    if (!remove_components(one.profiles.front())) return std::nullopt;
    return one;
  }
  return std::nullopt;
}

// "IOR:" and hexadecimal digits, for ORB::string_to_object().
inline std::string text_of(const cdr::Ior& ior) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text = "IOR:";
  for (const std::uint8_t octet : cdr::encapsulate([&](cdr::Encoder& out) { cdr::write_ior(out, ior); })) {
    text += digits[octet >> 4];
    text += digits[octet & 15];
  }
  return text;
}

}  // namespace takt::addresses
