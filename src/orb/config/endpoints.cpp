#include "orb/config/endpoints.h"

#include <charconv>
#include <string>

#include <takt/cdr/exception.h>

namespace takt::orb {

namespace {

[[noreturn]] void refuse(std::string_view text, std::string_view option) {
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                         "option -ORB" + std::string(option) + ": '" + std::string(text) +
                             "' is no endpoint; write iiop://HOST:PORT, an IPv6 address in brackets");
}

}  // namespace

transport::Endpoint endpoint_from_text(std::string_view text, std::string_view option) {
  transport::Endpoint endpoint;
  std::string_view rest = text;
  if (const auto scheme = rest.find("://"); scheme != std::string_view::npos) {
    endpoint.protocol = rest.substr(0, scheme);
    rest.remove_prefix(scheme + 3);
  }
  if (endpoint.protocol != "iiop") refuse(text, option);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  if (rest.starts_with('[')) {
    const auto end = rest.find(']');
    if (end == std::string_view::npos) refuse(text, option);
    endpoint.host = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
  } else {
    const auto end = rest.find(':');
    endpoint.host = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end);
  }
  if (rest.empty()) return endpoint;
  if (rest.front() != ':') refuse(text, option);
  rest.remove_prefix(1);
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), endpoint.port);
  if (error != std::errc() || end != rest.data() + rest.size()) refuse(text, option);
  return endpoint;
}

}  // namespace takt::orb
