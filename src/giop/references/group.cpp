#include "giop/references/group.h"

#include <algorithm>
#include <charconv>

#include <takt/cdr/encoder.h>

#include "giop/header/head_reader.h"

namespace takt::giop {

namespace {

constexpr Version miop_version{1, 0};

std::string without_nul(ByteView string) {
  return {string.begin(), string.empty() ? string.end() : string.end() - 1};
}

template <class In>
bool read_version(In& in) {
  Version version;
  return in.u8(version.major) && in.u8(version.minor) && version.major == miop_version.major;
}

template <class In>
bool read_body(In& in, GroupProfile& profile) {
  ByteView host;
  std::uint32_t count = 0;
  if (!read_version(in) || !in.octets(host) || !in.u16(profile.address.port) || !in.u32(count)) return false;
  profile.address.host = without_nul(host);
  for (std::uint32_t i = 0; i < count; ++i) {
    TaggedComponent component;
    ByteView data;
    if (!in.u32(component.tag) || !in.octets(data)) return false;
    component.data.assign(data.begin(), data.end());
    profile.components.push_back(std::move(component));
  }
  return true;
}

template <class Number>
bool take_number(std::string_view& text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return error == std::errc();
}

bool take(std::string_view& text, std::string_view what) {
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

constexpr bool is_visible(char c) { return c > ' ' && c < 0x7f; }
// A character of an IPv4 or IPv6 address, possibly followed by the name of a network interface.
constexpr bool is_of_address(char c) {
  return is_visible(c) && std::string_view("[]/?#@").find(c) == std::string_view::npos;
}

bool take_miop_version(std::string_view& text) {
  Version version;
  return take_number(text, version.major) && take(text, ".") && take_number(text, version.minor) &&
         version.major == miop_version.major;
}

bool take_group(std::string_view& text, Group& group) {
  if (!take_miop_version(text) || !take(text, "-")) return false;
  const std::size_t end = text.find('-');
  if (end == 0 || end == text.npos) return false;
  group.domain = text.substr(0, end);
  if (!std::ranges::all_of(group.domain, is_visible)) return false;
  text.remove_prefix(end + 1);
  return take_number(text, group.id) && (!take(text, "-") || take_number(text, group.reference_version));
}

bool take_address(std::string_view& text, HostPort& address) {
  const bool bracketed = take(text, "[");
  const std::size_t end = text.find(bracketed ? ']' : ':');
  if (end == 0 || end == text.npos) return false;
  address.host = text.substr(0, end);
  if (!std::ranges::all_of(address.host, is_of_address)) return false;
  text.remove_prefix(end);
  return (!bracketed || take(text, "]")) && take(text, ":") && take_number(text, address.port) &&
         address.port != 0;
}

}  // namespace

TaggedComponent make_group_component(const Group& group) {
  return {group_component, cdr::encapsulate([&](cdr::Encoder& encoder) {
            encoder.put(miop_version.major);
            encoder.put(miop_version.minor);
            encoder.put_raw_string(group.domain);
            encoder.put(group.id);
            encoder.put(group.reference_version);
          })};
}

std::optional<Group> read_group_component(const TaggedComponent& component) {
  Group group;
  ByteView domain;
  if (component.tag != group_component || !open_encapsulation(component.data, [&](auto& in) {
        return read_version(in) && in.octets(domain) && in.u64(group.id) && in.u32(group.reference_version);
      }))
    return std::nullopt;
  group.domain = without_nul(domain);
  return group;
}

std::optional<GroupProfile> read_group_profile(const cdr::TaggedProfile& tagged) {
  GroupProfile profile;
  if (tagged.tag != group_profile ||
      !open_encapsulation(tagged.data, [&](auto& in) { return read_body(in, profile); }))
    return std::nullopt;
  for (const TaggedComponent& component : profile.components)
    if (auto group = read_group_component(component)) {
      profile.group = std::move(*group);
      return profile;
    }
  return std::nullopt;
}

cdr::TaggedProfile write_group_profile(const HostPort& address, const Group& group,
                                       const std::vector<TaggedComponent>& components) {
  const auto put = [](cdr::Encoder& encoder, const TaggedComponent& component) {
    encoder.put(component.tag);
    encoder.put_count(component.data.size());
    encoder.put_octets(component.data);
  };
  cdr::TaggedProfile tagged;
  tagged.tag = group_profile;
  tagged.data = cdr::encapsulate([&](cdr::Encoder& encoder) {
    const TaggedComponent own = make_group_component(group);
    encoder.put(miop_version.major);
    encoder.put(miop_version.minor);
    encoder.put_raw_string(address.host);
    encoder.put(address.port);
    encoder.put_count(1 + components.size());
    put(encoder, own);
    for (const TaggedComponent& component : components) put(encoder, component);
  });
  return tagged;
}

std::optional<GroupProfile> parse_group_url(std::string_view text) {
  GroupProfile profile;
  const std::size_t at = text.find('@');
  if (at != text.npos && (!take_miop_version(text) || !take(text, "@"))) return std::nullopt;
  if (!take_group(text, profile.group) || !take(text, "/") || !take_address(text, profile.address) ||
      !text.empty())
    return std::nullopt;
  profile.components.push_back(make_group_component(profile.group));
  return profile;
}

std::string to_url(const GroupProfile& profile) {
  const HostPort& address = profile.address;
  const bool v6 = address.host.find(':') != std::string::npos;
  return "corbaloc:miop:1.0@1.0-" + profile.group.domain + "-" + std::to_string(profile.group.id) + "-" +
         std::to_string(profile.group.reference_version) + "/" + (v6 ? "[" : "") + address.host +
         (v6 ? "]:" : ":") + std::to_string(address.port);
}

}  // namespace takt::giop
