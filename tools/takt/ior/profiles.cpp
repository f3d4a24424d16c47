#include "ior/profiles.h"

#include <algorithm>
#include <utility>

#include "giop/references/group.h"
#include "ior/components.h"
#include "ior/fields.h"
#include "ior/object_keys.h"

namespace takt::command {
namespace {

struct ProfileKind {
  std::string_view name;
  std::uint32_t tag;
  bool has_form, has_port;
};
constexpr ProfileKind profile_kinds[] = {
    {"TAG_INTERNET_IOP", giop::internet_profile, true, true},
    {"TAG_MULTIPLE_COMPONENTS", giop::multiple_components_profile, false, false},
    {"TAG_SCCP_IOP", 2, false, false},
    {"TAG_UIPMC (multicast)", giop::group_profile, false, false},
    {"UNIX-domain socket (TAO's UIOP, Takt's)", giop::unix_profile, true, false},
    {"shared memory (Takt's)", giop::shared_memory_profile, true, false},
    {"in-process (Takt's)", giop::in_process_profile, true, false},
    {"UDP (Takt's)", giop::udp_profile, true, true},
    {"TAO SHMIOP (shared memory)", 0x54414f02, true, true},
    {"TAO DIOP (UDP)", 0x54414f04, true, true},
    {"TAO COIOP (the same process)", 0x54414f05, true, false},
    {"TAO SCIOP (SCTP)", 0x54414f0e, false, false},
};

std::string text_of(giop::Version version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor);
}

giop::Version version_in(Fields& in) {
  const auto major = in.number<std::uint8_t>("the version");
  return {major, in.number<std::uint8_t>("the version")};
}

std::vector<giop::TaggedComponent> components_in(Fields& in) {
  std::vector<giop::TaggedComponent> components;
  const auto number = in.count("components", 8);
  for (std::uint32_t i = 0; i < number && in.ok(); ++i) {
    giop::TaggedComponent component;
    component.tag = in.number<std::uint32_t>("a component's tag");
    const ByteView data = in.octets("a component's data");
    component.data.assign(data.begin(), data.end());
    if (in.ok()) components.push_back(std::move(component));
  }
  return components;
}

Json components_json(const std::vector<giop::TaggedComponent>& components, bool has_ports) {
  Json list = Json::array();
  for (const auto& component : components) list.push_back(component_json(component, has_ports));
  return list;
}

void add_address(Fields& in, bool has_port, Json& json) {
  json[has_port ? "host" : "path"] = in.string(has_port ? "the host" : "the path");
  if (has_port) json["port"] = in.number<std::uint16_t>("the port");
}

// Shows the fields up to the first that cannot be read.
void add_body(Fields& in, giop::ProfileLayout form, Json& json) {
  const giop::Version version = version_in(in);
  json["version"] = text_of(version);
  add_address(in, form.has_port, json);
  const ByteView key = in.octets("the object key");
  if (in.ok()) json["object_key"] = key_json(key);
  if (in.ok() && version.minor > 0) json["components"] = components_json(components_in(in), form.has_port);
}

void add_multicast(Fields& in, Json& json) {
  json["version"] = text_of(version_in(in));
  add_address(in, true, json);
  if (in.ok()) json["components"] = components_json(components_in(in), true);
}

}  // namespace

std::optional<giop::ProfileLayout> form_of(std::uint32_t tag) {
  const auto* kind = std::ranges::find(profile_kinds, tag, &ProfileKind::tag);
  if (kind == std::end(profile_kinds) || !kind->has_form) return std::nullopt;
  return giop::ProfileLayout{tag, kind->has_port};
}

std::vector<giop::IiopProfile> understood_profiles(const cdr::Ior& ior) {
  std::vector<giop::IiopProfile> profiles;
  for (const cdr::TaggedProfile& tagged : ior.profiles) {
    if (!is_understood(tagged.tag)) continue;
    if (auto profile = giop::read_profile(tagged, *form_of(tagged.tag)))
      profiles.push_back(std::move(*profile));
  }
  return profiles;
}

std::optional<std::uint32_t> orb_type_of(const giop::IiopProfile& profile) {
  const auto* const component = profile.find(giop::orb_type_component);
  return component ? giop::read_orb_type(*component) : std::nullopt;
}

std::string profile_name(std::uint32_t tag) {
  const auto* kind = std::ranges::find(profile_kinds, tag, &ProfileKind::tag);
  return kind == std::end(profile_kinds) ? "unknown profile" : std::string(kind->name);
}

Json profile_json(const cdr::TaggedProfile& profile) {
  Json json = {{"tag", profile.tag}, {"name", profile_name(profile.tag)}};
  const ByteView data = profile.data;
  if (!data.empty() && data[0] <= 1) json["byte_order"] = data[0] == 1 ? "little-endian" : "big-endian";
  Fields in(data);
  if (const auto form = form_of(profile.tag)) {
    add_body(in, *form, json);
  } else if (profile.tag == giop::multiple_components_profile) {
    json["components"] = components_json(components_in(in), true);
  } else if (profile.tag == giop::group_profile) {
    add_multicast(in, json);
    if (const auto group = giop::read_group_profile(profile)) json["url"] = giop::to_url(*group);
  } else {
    json["octets"] = data.size();
    json["hex"] = hex_of(data);
    return json;
  }
  if (!in.ok()) {
    json["error"] = in.error();
    json["hex"] = hex_of(data);
  }
  return json;
}

}  // namespace takt::command
