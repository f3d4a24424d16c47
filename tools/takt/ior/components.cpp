#include "ior/components.h"

#include <algorithm>
#include <charconv>

#include "giop/contexts/priorities.h"
#include "giop/references/group.h"
#include "ior/fields.h"
#include "reference/local_roads.h"
#include "reference/server_route.h"

namespace takt::command {
namespace {

struct Name {
  std::uint32_t value;
  std::string_view name;
};

template <std::size_t N>
std::string name_in(const Name (&table)[N], std::uint32_t value, std::string_view otherwise) {
  const auto* found = std::ranges::find(table, value, &Name::value);
  return found == std::end(table) ? std::string(otherwise) + " " + hex_number(value)
                                  : std::string(found->name);
}

constexpr Name orb_types[] = {
    {giop::takt_orb_type, "Takt"}, {0x54414f00, "TAO"}, {0x41545400, "omniORB"}, {0x4a414300, "JacORB"}};
constexpr Name code_sets[] = {{0, "none"},
                              {0x00010001, "ISO 8859-1"},
                              {0x0001000f, "ISO 8859-15"},
                              {0x00010020, "ISO 646 (ASCII)"},
                              {0x00010100, "UCS-2 level 1"},
                              {0x00010109, "UTF-16"},
                              {0x05010001, "UTF-8"}};
constexpr Name associations[] = {{1, "NoProtection"},
                                 {2, "Integrity"},
                                 {4, "Confidentiality"},
                                 {8, "DetectReplay"},
                                 {16, "DetectMisordering"},
                                 {32, "EstablishTrustInTarget"},
                                 {64, "EstablishTrustInClient"},
                                 {128, "NoDelegation"},
                                 {256, "SimpleDelegation"},
                                 {512, "CompositeDelegation"},
                                 {1024, "IdentityAssertion"},
                                 {2048, "DelegationByClient"}};
constexpr Name policies[] = {
    {37, "bidirectional GIOP"}, {40, "priority model"}, {43, "client protocol"}, {45, "priority bands"}};

Json options_json(std::uint16_t bits) {
  Json names = Json::array();
  for (unsigned bit = 1; bit <= 0x8000; bit <<= 1)
    if (bits & bit) names.push_back(name_in(associations, bit, "bit"));
  return names;
}

void orb_type(Fields& in, Json& json) {
  json["orb"] = name_in(orb_types, in.number<std::uint32_t>("the ORB's type"), "unknown");
}

void code_set_kind(Fields& in, Json& json, const std::string& kind) {
  json[kind + "_native"] =
      name_in(code_sets, in.number<std::uint32_t>("the native code set of " + kind), "code set");
  Json conversion = Json::array();
  const auto sets = in.count("code sets", 4);
  for (std::uint32_t i = 0; i < sets && in.ok(); ++i)
    conversion.push_back(name_in(code_sets, in.number<std::uint32_t>("a code set"), "code set"));
  json[kind + "_conversion"] = conversion;
}
void code_set_kinds(Fields& in, Json& json) {
  code_set_kind(in, json, "char");
  code_set_kind(in, json, "wchar");
}

void policy_list(Fields& in, Json& json) {
  Json list = Json::array();
  const auto number = in.count("policies", 8);
  for (std::uint32_t i = 0; i < number && in.ok(); ++i) {
    const auto type = in.number<std::uint32_t>("a policy's type");
    const ByteView value = in.octets("a policy's value");
    list.push_back({{"type", type}, {"name", name_in(policies, type, "policy")}, {"hex", hex_of(value)}});
  }
  json["policies"] = list;
}
// The component of Takt's own with priorities.
void add_priorities(const giop::TaggedComponent& component, Json& json) {
  const auto priorities = giop::read_policies_component(component);
  if (!priorities) return;
  const bool declared = priorities->model == giop::PriorityPolicies::Model::server_declared;
  json["priority_model"] = declared ? "SERVER_DECLARED" : "CLIENT_PROPAGATED";
  json["server_priority"] = priorities->server_priority;
  if (priorities->bands.empty()) return;
  json["priority_bands"] = Json::array();
  for (const auto& band : priorities->bands)
    json["priority_bands"].push_back(std::to_string(band.low) + "-" + std::to_string(band.high));
}

void host_and_port(Fields& in, Json& json) {
  json["host"] = in.string("the host");
  json["port"] = in.number<std::uint16_t>("the port");
}

void ssl(Fields& in, Json& json) {
  json["target_supports"] = options_json(in.number<std::uint16_t>("what the target supports"));
  json["target_requires"] = options_json(in.number<std::uint16_t>("what the target requires"));
  json["port"] = in.number<std::uint16_t>("the port");
}

void tls(Fields& in, Json& json) {
  json["target_supports"] = options_json(in.number<std::uint16_t>("what the target supports"));
  json["target_requires"] = options_json(in.number<std::uint16_t>("what the target requires"));
  Json addresses = Json::array();
  const auto number = in.count("addresses", 6);
  for (std::uint32_t i = 0; i < number && in.ok(); ++i) {
    Json address = Json::object();
    host_and_port(in, address);
    addresses.push_back(address);
  }
  json["addresses"] = addresses;
}

void security_mechanisms(Fields& in, Json& json) {
  json["stateful"] = in.number<std::uint8_t>("whether sessions have state") != 0;
  json["mechanisms"] = in.count("mechanisms", 1);
}

void group(Fields& in, Json& json) {
  const auto major = in.number<std::uint8_t>("the version");
  const auto minor = in.number<std::uint8_t>("the version");
  json["version"] = std::to_string(major) + "." + std::to_string(minor);
  json["domain"] = in.string("the domain");
  json["group"] = in.number<std::uint64_t>("the group's id");
  json["reference_version"] = in.number<std::uint32_t>("the reference's version");
}

void yes_or_no(Fields& in, Json& json) { json["value"] = in.number<std::uint8_t>("the boolean") != 0; }
void text(Fields& in, Json& json) { json["text"] = in.string("the text"); }

void machine(Fields& in, Json& json) {
  json["machine"] = in.string("the machine's or process's identity");
  json["protocol_version"] = in.number<std::uint32_t>("the protocol's version");
}

void lite(Fields& in, Json& json) { json["version"] = in.number<std::uint8_t>("the version"); }

// With 16 digits.
std::string hex_text(std::uint64_t number) {
  char digits[16];
  const std::string_view text(digits, std::to_chars(digits, digits + sizeof digits, number, 16).ptr);
  return std::string(sizeof digits - text.size(), '0').append(text);
}

// Where a client connects instead of to the profile's TCP addresses, if it is in the same place.
void local_roads(Fields& in, Json& json) {
  json["version"] = in.number<std::uint8_t>("the version");
  const auto bits = in.number<std::uint8_t>("the roads");
  json["shm_version"] = in.number<std::uint8_t>("the version of shared memory");
  json["place"] = hex_text(in.number<std::uint64_t>("the place"));
  Json roads = Json::array();
  if (bits & 2) roads.push_back("shm");
  if (bits & 1) roads.push_back("unix");
  json["roads"] = roads;
  json["any_host"] = (bits & 0x80) != 0;
}

void unix_path(Fields& in, Json& json) {
  json["machine"] = in.string("the machine's name");
  json["path"] = in.string("the path");
}

struct ComponentKind {
  std::uint32_t tag;
  std::string_view name;
  void (*read)(Fields& in, Json& json);  // null: shown as octets
};
constexpr ComponentKind component_kinds[] = {
    {giop::orb_type_component, "TAG_ORB_TYPE", orb_type},
    {giop::code_sets_component, "TAG_CODE_SETS", code_set_kinds},
    {giop::policies_component, "TAG_POLICIES", policy_list},
    {giop::alternate_address_component, "TAG_ALTERNATE_IIOP_ADDRESS", host_and_port},
    {5, "TAG_COMPLETE_OBJECT_KEY", nullptr},
    {6, "TAG_ENDPOINT_ID_POSITION", nullptr},
    {12, "TAG_LOCATION_POLICY", nullptr},
    {13, "TAG_ASSOCIATION_OPTIONS", nullptr},
    {14, "TAG_SEC_NAME", nullptr},
    {20, "TAG_SSL_SEC_TRANS", ssl},
    {23, "TAG_FIREWALL_TRANS", nullptr},
    {25, "TAG_JAVA_CODEBASE", text},
    {26, "TAG_TRANSACTION_POLICY", nullptr},
    {27, "TAG_FT_GROUP", group},
    {28, "TAG_FT_PRIMARY", yes_or_no},
    {29, "TAG_FT_HEARTBEAT_ENABLED", yes_or_no},
    {30, "TAG_MESSAGE_ROUTERS", nullptr},
    {31, "TAG_OTS_POLICY", nullptr},
    {32, "TAG_INV_POLICY", nullptr},
    {33, "TAG_CSI_SEC_MECH_LIST", security_mechanisms},
    {34, "TAG_NULL_TAG", nullptr},
    {35, "TAG_SECIOP_SEC_TRANS", nullptr},
    {36, "TAG_TLS_SEC_TRANS", tls},
    {37, "TAG_ACTIVITY_POLICY", nullptr},
    {38, "TAG_RMI_CUSTOM_MAX_STREAM_FORMAT", nullptr},
    {giop::group_component, "TAG_GROUP", group},
    {giop::group_iiop_component, "TAG_GROUP_IIOP", nullptr},
    {123, "TAG_INET_SEC_TRANS", nullptr},
    {giop::priority_endpoints_component, "endpoints by priority (TAO's, Takt's lanes)", nullptr},
    {0x41545401, "omniORB bidirectional GIOP", nullptr},
    {giop::machine_component, "machine or process (Takt's)", machine},
    {giop::lite_component, "GIOPlite (Takt's)", lite},
    {reference::local_roads_component, "local roads (Takt's)", local_roads},
    {reference::overlap_component, "requests of a connection may be served at the same time (Takt's)",
     nullptr},
    {giop::unix_path_component, "UNIX-domain socket (omniORB's, Takt's)", unix_path},
    {0x41545403, "omniORB persistent id", nullptr},
    {0x41545404, "omniORB restricted connection", nullptr},
    {0x41545405, "omniORB HTTP transport", nullptr},
};

bool add_lanes(const giop::TaggedComponent& component, bool has_ports, Json& json) {
  const auto endpoints = giop::read_priority_endpoints(component, has_ports);
  if (endpoints.empty()) return false;
  Json lanes = Json::array();
  for (const auto& endpoint : endpoints) {
    Json lane = {{"priority", endpoint.priority}, {"host", endpoint.address.host}};
    if (has_ports) lane["port"] = endpoint.address.port;
    lanes.push_back(lane);
  }
  json["endpoints"] = lanes;
  return true;
}

}  // namespace

Json component_json(const giop::TaggedComponent& component, bool has_ports) {
  const auto* kind = std::ranges::find(component_kinds, component.tag, &ComponentKind::tag);
  const bool known = kind != std::end(component_kinds);
  Json json = {{"tag", component.tag}, {"name", known ? std::string(kind->name) : "unknown component"}};
  if (known && kind->read) {
    Fields in(component.data);
    kind->read(in, json);
    if (in.ok()) {
      if (component.tag == giop::policies_component) add_priorities(component, json);
      return json;
    }
    json["error"] = in.error();
  } else if (component.tag == giop::priority_endpoints_component && add_lanes(component, has_ports, json)) {
    return json;
  }
  json["octets"] = component.data.size();
  json["hex"] = hex_of(component.data);
  return json;
}

}  // namespace takt::command
