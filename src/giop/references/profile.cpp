#include "giop/references/profile.h"

#include <takt/cdr/encoder.h>

#include "giop/header/head_reader.h"
#include "giop/header/lite_format.h"

namespace takt::giop {

namespace {

std::string text_of(ByteView string) {
  // Strips the NUL; some ORBs write an empty string without one.
  const std::size_t length = string.empty() ? 0 : string.size() - 1;
  return {reinterpret_cast<const char*>(string.data()), length};
}

template <bool Swap>
bool read_components(HeadReader<Swap>& in, std::vector<TaggedComponent>& components) {
  std::uint32_t count = 0;
  if (!in.u32(count)) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    TaggedComponent component;
    ByteView data;
    if (!in.u32(component.tag) || !in.octets(data)) return false;
    component.data.assign(data.begin(), data.end());
    components.push_back(std::move(component));
  }
  return true;
}

template <bool Swap>
std::expected<IiopProfile, ProfileError> read_body(ByteView data, bool has_port) {
  HeadReader<Swap> in(data.data(), data.size(), 1);
  IiopProfile profile;
  if (!in.u8(profile.version.major) || !in.u8(profile.version.minor))
    return std::unexpected(ProfileError::malformed);
  if (profile.version.major != 1) return std::unexpected(ProfileError::version);
  ByteView host;
  ByteView key;
  if (!in.octets(host) || (has_port && !in.u16(profile.port)) || !in.octets(key))
    return std::unexpected(ProfileError::malformed);
  profile.host = text_of(host);
  profile.object_key.assign(key.begin(), key.end());
  if (profile.version.minor > 0 && !read_components(in, profile.components))
    return std::unexpected(ProfileError::malformed);
  if (profile.version.minor > highest_minor) profile.version.minor = highest_minor;
  return profile;
}

}  // namespace

const TaggedComponent* IiopProfile::find(std::uint32_t tag) const {
  for (const TaggedComponent& component : components)
    if (component.tag == tag) return &component;
  return nullptr;
}

std::vector<HostPort> IiopProfile::addresses() const {
  std::vector<HostPort> all{{host, port}};
  for (const TaggedComponent& component : components) {
    if (all.size() == max_addresses) break;
    if (auto address = read_alternate_address(component)) all.push_back(std::move(*address));
  }
  return all;
}

std::expected<IiopProfile, ProfileError> read_profile(const cdr::TaggedProfile& tagged, ProfileLayout form) {
  if (tagged.tag != form.tag) return std::unexpected(ProfileError::not_iiop);
  const ByteView data = tagged.data;
  if (data.empty() || data[0] > 1) return std::unexpected(ProfileError::malformed);
  return static_cast<cdr::ByteOrder>(data[0]) == cdr::native_order ? read_body<false>(data, form.has_port)
                                                                   : read_body<true>(data, form.has_port);
}

std::expected<IiopProfile, ProfileError> read_iiop_profile(const cdr::TaggedProfile& tagged) {
  return read_profile(tagged, {});
}

cdr::TaggedProfile write_iiop_profile(const IiopProfile& profile) { return write_profile(profile, {}); }

cdr::TaggedProfile write_profile(const IiopProfile& profile, ProfileLayout form) {
  cdr::TaggedProfile tagged;
  tagged.tag = form.tag;
  tagged.data = cdr::encapsulate([&](cdr::Encoder& encoder) {
    encoder.put(profile.version.major);
    encoder.put(profile.version.minor);
    encoder.put_raw_string(profile.host);
    if (form.has_port) encoder.put(profile.port);
    encoder.put_count(profile.object_key.size());
    encoder.put_octets(profile.object_key);
    if (profile.version.minor == 0) return;
    encoder.put_count(profile.components.size());
    for (const TaggedComponent& component : profile.components) {
      encoder.put(component.tag);
      encoder.put_count(component.data.size());
      encoder.put_octets(component.data);
    }
  });
  return tagged;
}

TaggedComponent make_orb_type_component(std::uint32_t orb_type) {
  return {orb_type_component, cdr::encapsulate([&](cdr::Encoder& encoder) { encoder.put(orb_type); })};
}

TaggedComponent make_alternate_address_component(const HostPort& address) {
  return {alternate_address_component, cdr::encapsulate([&](cdr::Encoder& encoder) {
            encoder.put_raw_string(address.host);
            encoder.put(address.port);
          })};
}

std::optional<std::uint32_t> read_orb_type(const TaggedComponent& component) {
  std::uint32_t type = 0;
  if (component.tag != orb_type_component ||
      !open_encapsulation(component.data, [&](auto& in) { return in.u32(type); }))
    return std::nullopt;
  return type;
}

std::optional<HostPort> read_alternate_address(const TaggedComponent& component) {
  HostPort address;
  ByteView host;
  if (component.tag != alternate_address_component ||
      !open_encapsulation(component.data, [&](auto& in) { return in.octets(host) && in.u16(address.port); }))
    return std::nullopt;
  address.host = text_of(host);
  return address;
}

TaggedComponent make_machine_component(const Machine& machine) {
  return {machine_component, cdr::encapsulate([&](cdr::Encoder& encoder) {
            encoder.put_raw_string(machine.identity);
            encoder.put(machine.protocol_version);
          })};
}

std::optional<Machine> read_machine(const TaggedComponent& component) {
  Machine machine;
  ByteView identity;
  if (component.tag != machine_component || !open_encapsulation(component.data, [&](auto& in) {
        return in.octets(identity) && in.u32(machine.protocol_version);
      }))
    return std::nullopt;
  machine.identity = text_of(identity);
  return machine;
}

TaggedComponent make_lite_component() {
  return {lite_component, cdr::encapsulate([](cdr::Encoder& encoder) { encoder.put(lite::format_version); })};
}

bool speaks_lite(const TaggedComponent& component) {
  std::uint8_t version = 0;
  return component.tag == lite_component &&
         open_encapsulation(component.data, [&](auto& in) { return in.u8(version); }) &&
         version == lite::format_version;
}

TaggedComponent make_unix_path_component(const UnixPath& path) {
  return {unix_path_component, cdr::encapsulate([&](cdr::Encoder& encoder) {
            encoder.put_raw_string(path.machine);
            encoder.put_raw_string(path.path);
          })};
}

std::optional<UnixPath> read_unix_path(const TaggedComponent& component) {
  UnixPath path;
  ByteView machine;
  ByteView name;
  if (component.tag != unix_path_component ||
      !open_encapsulation(component.data, [&](auto& in) { return in.octets(machine) && in.octets(name); }))
    return std::nullopt;
  path.machine = text_of(machine);
  path.path = text_of(name);
  return path;
}

}  // namespace takt::giop
