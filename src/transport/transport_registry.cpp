#include <algorithm>

#include <takt/transport/transport.h>

namespace takt::transport {

bool TransportRegistry::add(std::unique_ptr<Transport> transport) {
  if (find(transport->name()) || find_by_profile(transport->profile_form().tag)) return false;
  transports_.push_back(std::move(transport));
  return true;
}

Transport* TransportRegistry::find(std::string_view name) const {
  const auto found = std::ranges::find_if(transports_, [&](const auto& one) { return one->name() == name; });
  return found == transports_.end() ? nullptr : found->get();
}

Transport* TransportRegistry::find_by_profile(std::uint32_t tag) const {
  const auto found =
      std::ranges::find_if(transports_, [&](const auto& one) { return one->profile_form().tag == tag; });
  return found == transports_.end() ? nullptr : found->get();
}

}  // namespace takt::transport
