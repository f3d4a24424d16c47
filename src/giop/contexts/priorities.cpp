#include "giop/contexts/priorities.h"

#include <bit>

#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>

#include "giop/contexts/policy_values.h"

namespace takt::giop {

namespace {

constexpr std::uint32_t priority_model_policy = 40;
constexpr std::uint32_t priority_banded_policy = 45;
constexpr std::size_t max_endpoints = 1024;  // per profile; further ones are ignored
constexpr std::size_t max_bands = 64;        // per profile; further ones are ignored

template <class Write>
void put_policy(cdr::Encoder& encoder, std::uint32_t type, Write write) {
  encoder.put(type);
  const auto value = cdr::encapsulate(write);
  encoder.put_count(value.size());
  encoder.put_octets(value);
}

Priority get_priority(cdr::Decoder& decoder) { return static_cast<Priority>(decoder.get_u16()); }

bool read_model(ByteView value, PriorityPolicies& policies) {
  std::uint32_t model = 0;
  if (!cdr::decapsulate(value, [&](cdr::Decoder& decoder) {
        model = decoder.get_u32();
        policies.server_priority = get_priority(decoder);
      }))
    return false;
  policies.model = static_cast<PriorityPolicies::Model>(model);
  return model <= 1 && policies.server_priority >= 0;
}

void read_bands(ByteView value, PriorityPolicies& policies) {
  cdr::decapsulate(value, [&](cdr::Decoder& decoder) {
    std::uint32_t count = 0;
    decoder.get_count(count, 2 * sizeof(Priority));
    for (std::uint32_t i = 0; i < count && i < max_bands && decoder.ok(); ++i) {
      const Priority low = get_priority(decoder);
      policies.bands.push_back({low, get_priority(decoder)});
    }
  });
}

}  // namespace

std::array<std::uint8_t, priority_context_bytes> write_priority_context(Priority priority) {
  const auto octets = std::bit_cast<std::array<std::uint8_t, 2>>(priority);
  return {static_cast<std::uint8_t>(cdr::native_order), 0, octets[0], octets[1]};
}

std::optional<Priority> read_priority_context(ByteView data) {
  if (data.size() < priority_context_bytes || data[0] > 1) return std::nullopt;
  const auto order = static_cast<cdr::ByteOrder>(data[0]);
  const std::uint16_t first = data[2];
  const std::uint16_t second = data[3];
  const auto value =
      static_cast<Priority>(order == cdr::ByteOrder::big ? first << 8 | second : second << 8 | first);
  return value < 0 ? std::nullopt : std::optional(value);
}

[[gnu::cold]] TaggedComponent make_policies_component(const PriorityPolicies& policies) {
  return {policies_component, cdr::encapsulate([&](cdr::Encoder& encoder) {
            encoder.put_count(policies.bands.empty() ? 1 : 2);
            put_policy(encoder, priority_model_policy, [&](cdr::Encoder& value) {
              value.put(static_cast<std::uint32_t>(policies.model));
              value.put(policies.server_priority);
            });
            if (policies.bands.empty()) return;
            put_policy(encoder, priority_banded_policy, [&](cdr::Encoder& value) {
              value.put_count(policies.bands.size());
              for (const PriorityBand& band : policies.bands) {
                value.put(band.low);
                value.put(band.high);
              }
            });
          })};
}

std::optional<PriorityPolicies> read_policies_component(const TaggedComponent& component) {
  PriorityPolicies policies;
  bool has_model = false;
  const bool readable = component.tag == policies_component &&
                        for_each_policy(component.data, [&](std::uint32_t type, ByteView value) {
                          if (type == priority_model_policy) has_model = read_model(value, policies);
                          if (type == priority_banded_policy) read_bands(value, policies);
                        });
  if (!readable || !has_model) return std::nullopt;
  return policies;
}

TaggedComponent make_priority_endpoints_component(const std::vector<PriorityEndpoint>& endpoints,
                                                  bool have_ports) {
  return {priority_endpoints_component, cdr::encapsulate([&](cdr::Encoder& encoder) {
            encoder.put_count(endpoints.size());
            for (const PriorityEndpoint& endpoint : endpoints) {
              encoder.put_raw_string(endpoint.address.host);
              if (have_ports) encoder.put(endpoint.address.port);
              encoder.put(endpoint.priority);
            }
          })};
}

std::vector<PriorityEndpoint> read_priority_endpoints(const TaggedComponent& component, bool have_ports) {
  std::vector<PriorityEndpoint> endpoints;
  const bool readable = component.tag == priority_endpoints_component &&
                        cdr::decapsulate(component.data, [&](cdr::Decoder& decoder) {
                          std::uint32_t count = 0;
                          decoder.get_count(count, 8);
                          for (std::uint32_t i = 0; i < count && i < max_endpoints && decoder.ok(); ++i) {
                            PriorityEndpoint endpoint;
                            endpoint.address.host = decoder.get_raw_string_view();
                            if (have_ports) endpoint.address.port = decoder.get_u16();
                            endpoint.priority = get_priority(decoder);
                            endpoints.push_back(std::move(endpoint));
                          }
                        });
  if (!readable) endpoints.clear();
  return endpoints;
}

}  // namespace takt::giop
