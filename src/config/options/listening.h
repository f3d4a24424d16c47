// Options of the endpoints at which a server listens.
#pragma once

#include <algorithm>
#include <set>
#include <string>

#include "config/endpoints.h"
#include "config/options/common.h"

namespace takt::orb::table {

// Whether the endpoint has a fixed port or path, so that only one listener can have it.
inline bool is_one_place(const std::string& text) {
  const std::string_view endpoint = without_publish(text);
  constexpr std::string_view unix_paths = "unix:";
  if (endpoint.starts_with(unix_paths)) return endpoint.size() > unix_paths.size();
  const std::string_view port = endpoint.substr(endpoint.rfind(':') + 1);
  return port.find_first_not_of("0123456789") == port.npos && port.find_first_not_of('0') != port.npos;
}

// The endpoint in PRIORITY=ENDPOINT.
inline std::string endpoint_of(const std::string& lane) {
  return std::string(without_publish(lane.substr(lane.find('=') + 1)));
}

inline bool lane_listens_where_all_do(const S& settings) {
  return std::ranges::any_of(settings.serving.lane_endpoints, [&](const std::string& lane) {
    const std::string endpoint = endpoint_of(lane);
    return is_one_place(endpoint) &&
           std::ranges::any_of(settings.serving.listen_endpoints,
                               [&](const std::string& text) { return without_publish(text) == endpoint; });
  });
}

inline bool lanes_listen_at_one_place(const S& settings) {
  std::set<std::string> places;
  return std::ranges::any_of(settings.serving.lane_endpoints, [&](const std::string& lane) {
    const std::string endpoint = endpoint_of(lane);
    return is_one_place(endpoint) && !places.insert(endpoint).second;
  });
}

constexpr Conflict lane_endpoint_conflicts[] = {
    {"ListenEndpoints", lane_listens_where_all_do, "the same port or path",
     "a lane needs a listener of its own, so that less urgent requests cannot delay its requests",
     "give the lane an endpoint of its own, or omit it and let the system choose"},
    {"LaneEndpoints", lanes_listen_at_one_place, "the same port or path twice",
     "requests of one priority would wait in the queue of another priority",
     "give each lane an endpoint of its own, or omit them and let the system choose"},
};

constexpr Option listening_options[] = {
    {"ListenEndpoints",
     Texts{at<&S::serving, &ServingOptions::listen_endpoints>,
           "iiop://HOST:PORT, ssliop://HOST:PORT, udp://HOST:PORT, unix:PATH, shm:PATH, @NAME for PATH, "
           "inproc:NAME",
           ",;"},
     add_live("at once; the server listens there too, and references that are made later contain it unless "
              "PublishedEndpoints is set without own. Possible after the root POA was requested",
              &RunningOrb::listen_there_too),
     "The endpoints at which the server listens, in order of preference. The default accepts clients of this "
     "machine only. An endpoint without a host, such as iiop://:2809, listens on all interfaces, IPv4 and "
     "IPv6. localhost means this machine's loopback addresses: 127.0.0.1 and, if IPv6 is there, ::1. With "
     "port 0, or without a path or name, the system chooses one. Of a range of ports, as in "
     "iiop://:2810-2820, the server takes the first one that is free. References contain another host with "
     "?publish=HOST behind an endpoint, and not the endpoint with ?publish=none. The server begins to listen "
     "when the root POA is first requested."},
    {"PublishedEndpoints",
     Texts{at<&S::serving, &ServingOptions::published_endpoints>, "as ListenEndpoints, or own", ",;"},
     fixed("existing references would still contain the present endpoints"),
     "The endpoints in object references, in order of preference, if they differ from those at which the "
     "server listens: host names, or addresses outside a translated network. Port 0 stands for the port of "
     "the first listening endpoint, and own for the addresses of ListenEndpoints. By default references have "
     "the listening addresses. If the server "
     "listens on all interfaces, they have each address of this machine."},
    {"LaneEndpoints",
     Texts{at<&S::serving, &ServingOptions::lane_endpoints>, "PRIORITY=ENDPOINT, as ListenEndpoints has it",
           ",;"},
     fixed(),
     "The endpoint of the lane with that RT-CORBA priority, or of a pool without lanes with that default "
     "priority. With a fixed endpoint, references stay valid across restarts: 40=iiop://:2840. By default "
     "each lane listens at the interfaces of ListenEndpoints, at ports and paths that the system chooses.",
     lane_endpoint_conflicts},
};

}  // namespace takt::orb::table
