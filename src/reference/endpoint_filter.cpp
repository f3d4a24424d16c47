#include "reference/endpoint_filter.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace takt::reference {

namespace {

bool is_numeric(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos;
}

bool is_at(std::string_view pattern, std::string_view host) {
  if (pattern == "*") return true;
  if (pattern.starts_with("*.")) {
    pattern.remove_prefix(1);
    return host.size() > pattern.size() && host.ends_with(pattern);
  }
  if (pattern.ends_with(".*")) {
    pattern.remove_suffix(1);
    return host.starts_with(pattern) && is_numeric(host.substr(pattern.size()));
  }
  return host == pattern;
}

}  // namespace

void EndpointFilter::add(transport::Endpoint place) {
  std::lock_guard lock(mutex_);
  if (std::ranges::find(places_, place) == places_.end()) places_.push_back(std::move(place));
}

bool EndpointFilter::has(const transport::Endpoint& endpoint) const {
  std::lock_guard lock(mutex_);
  return std::ranges::any_of(places_, [&](const transport::Endpoint& place) {
    return place.protocol == endpoint.protocol && (place.port == 0 || place.port == endpoint.port) &&
           is_at(place.host, endpoint.host);
  });
}

}  // namespace takt::reference
