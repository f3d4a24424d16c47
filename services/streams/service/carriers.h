// The carriers of flows, as transports of the ORB.
#pragma once

#include <string>
#include <string_view>

namespace takt::streams {

// "UDP" sends datagrams; "TCP" and "TLS" have a connection for each flow and consumer. Empty: there is no
// such carrier.
constexpr std::string_view transport_of(std::string_view carrier) {
  if (carrier == "UDP") return "udp";
  if (carrier == "TCP") return "iiop";
  if (carrier == "TLS") return "ssliop";
  return {};
}

// The carrier that uses the transport.
constexpr const char* carrier_over(std::string_view transport) {
  return transport == "udp" ? "UDP" : transport == "iiop" ? "TCP" : "TLS";
}

// The endpoint at which a flow arrives, at a port that the system chooses.
inline std::string endpoint_of(std::string_view carrier, const std::string& host) {
  const bool is_v6 = host.find(':') != std::string::npos;
  return std::string(transport_of(carrier)) + "://" + (is_v6 ? '[' + host + ']' : host) + ":0";
}

}  // namespace takt::streams
