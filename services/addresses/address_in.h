// Contents of object references, for services to show.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <takt/cdr/any.h>
#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>
#include <takt/cdr/ior.h>
#include <takt/reference/object.h>
#include <takt/reference/reference_codec.h>

#include "octets/hex.h"

namespace takt::addresses {

inline cdr::Ior ior_of(const CORBA::object_reference<CORBA::Object>& object) {
  CORBA::Any any;
  any <<= object;
  cdr::Decoder decoder(any._content().octets, 0, cdr::any_format());
  cdr::Ior ior;
  cdr::read_ior(decoder, ior);
  return ior;
}

// The tags of an IIOP profile, and of the components that tell the ORB, its code sets, and a port of TLS.
inline constexpr std::uint32_t iiop_tag = 0, orb_tag = 0, code_sets_tag = 1, tls_tag = 20;

inline ByteView octets_in(cdr::Decoder& in) {
  std::uint32_t size = 0;
  in.get(size);
  return in.get_octets_view(size);
}

// Calls take(tag, data) for each of the components that follow in a profile, as far as they can be read.
template <class Take>
void for_each_component(cdr::Decoder& in, const Take& take) {
  std::uint32_t count = 0;
  for (in.get(count); count > 0 && in.ok(); --count) {
    std::uint32_t tag = 0;
    in.get(tag);
    take(tag, octets_in(in));
  }
}

// The port of TLS in the components that follow in a profile; 0 if there is none (CORBA 3.0.3, 24.7.1).
inline std::uint16_t tls_port_in(cdr::Decoder& in) {
  std::uint16_t port = 0;
  for_each_component(in, [&](std::uint32_t tag, ByteView data) {
    if (tag == tls_tag)
      cdr::decapsulate(data, [&](cdr::Decoder& offer) {
        std::uint16_t supports_and_requires = 0;
        offer.get(supports_and_requires);
        offer.get(supports_and_requires);
        offer.get(port);
      });
  });
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
      octets_in(in);  // the key
      port = tls_port_in(in);
    });
    if (read)
      return (host.find(':') == std::string::npos ? host : '[' + host + ']') + ':' + std::to_string(port);
  }
  return {};
}

// The profile without those of its components that may name further addresses; that of TLS, which has only a
// port, stays. Returns false if the profile cannot be read.
inline bool remove_addresses(cdr::TaggedProfile& profile) {
  std::uint8_t major = 0, minor = 0;
  std::uint16_t port = 0;
  std::string host;
  std::vector<std::uint8_t> key;
  std::vector<std::pair<std::uint32_t, ByteView>> kept;
  const bool read = cdr::decapsulate(profile.data, [&](cdr::Decoder& in) {
    in.get(major);
    in.get(minor);
    host = in.get_raw_string_view();
    in.get(port);
    const ByteView octets = octets_in(in);
    key.assign(octets.begin(), octets.end());
    if (minor == 0) return;
    for_each_component(in, [&](std::uint32_t tag, ByteView data) {
      const bool is_known = std::ranges::find(kept, tag, &decltype(kept)::value_type::first) != kept.end();
      if (!is_known && (tag == orb_tag || tag == code_sets_tag || tag == tls_tag))
        kept.emplace_back(tag, data);
    });
  });
  if (!read) return false;
  profile.data = cdr::encapsulate([&](cdr::Encoder& out) {
    out.put(major);
    out.put(minor);
    out.put_raw_string(host);
    out.put(port);
    out.put_count(key.size());
    out.put_octets(key);
    if (minor > 0) out.put_count(kept.size());
    for (const auto& [tag, data] : kept) {
      out.put(tag);
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
    if (!remove_addresses(one.profiles.front())) return std::nullopt;
    return one;
  }
  return std::nullopt;
}

// "IOR:" and hexadecimal digits, for ORB::string_to_object().
inline std::string text_of(const cdr::Ior& ior) {
  const auto octets = cdr::encapsulate([&](cdr::Encoder& out) { cdr::write_ior(out, ior); });
  std::string text = "IOR:";
  octets::append_hex(text, {reinterpret_cast<const char*>(octets.data()), octets.size()});
  return text;
}

}  // namespace takt::addresses
