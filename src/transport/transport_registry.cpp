#include <algorithm>

#include <takt/transport/transport.h>

namespace takt::transport {

bool TransportRegistry::add(std::unique_ptr<Transport> transport) {
  if (find(transport->name()) || find_by_profile(transport->profile_form().tag)) return false;
  return transports_.add(std::move(transport));
}

namespace {

template <class Is>
Transport* find_in(std::span<const std::unique_ptr<Transport>> transports, Is is) {
  const auto found = std::ranges::find_if(transports, is);
  return found == transports.end() ? nullptr : found->get();
}

}  // namespace

Transport* TransportRegistry::find(std::string_view name) const {
  return find_in(all(), [&](const auto& one) { return one->name() == name; });
}

Transport* TransportRegistry::find_by_profile(std::uint32_t tag) const {
  return find_in(all(), [&](const auto& one) { return one->profile_form().tag == tag; });
}

}  // namespace takt::transport
