// Options of the endpoints at which a server listens.
#pragma once

#include <algorithm>
#include <set>
#include <string>

#include "config/options/common.h"

namespace takt::orb::table {

// Whether the endpoint has a fixed port or path, so that only one listener can have it.
inline bool is_one_place(const std::string& endpoint) {
  constexpr std::string_view unix_paths = "unix:";
  if (endpoint.starts_with(unix_paths)) return endpoint.size() > unix_paths.size();
  const std::string_view port = std::string_view(endpoint).substr(endpoint.rfind(':') + 1);
  return port.find_first_not_of("0123456789") == port.npos && port.find_first_not_of('0') != port.npos;
}

// The endpoint in PRIORITY=ENDPOINT.
inline std::string endpoint_of(const std::string& lane) { return lane.substr(lane.find('=') + 1); }

inline bool lane_listens_where_all_do(const S& settings) {
  return std::ranges::any_of(settings.serving.lane_endpoints, [&](const std::string& lane) {
    const std::string endpoint = endpoint_of(lane);
    return is_one_place(endpoint) && std::ranges::count(settings.serving.listen_endpoints, endpoint) > 0;
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
              "PublishedEndpoints is set. Possible after the root POA was requested",
              &RunningOrb::listen_there_too),
     "The endpoints at which the server listens, in order of preference. The default accepts clients of this "
     "machine only. An endpoint without a host, such as iiop://:2809, listens on all interfaces, IPv4 and "
     "IPv6. localhost means this machine's loopback addresses: 127.0.0.1 and, if IPv6 is there, ::1. With "
     "port 0, or without a path or name, the system chooses one. The server begins to listen when the root "
     "POA is first requested."},
    {"PublishedEndpoints",
     Texts{at<&S::serving, &ServingOptions::published_endpoints>, "as ListenEndpoints", ",;"},
     fixed("existing references would still contain the present endpoints"),
     "The endpoints in object references, in order of preference, if they differ from those at which the "
     "server listens: host names, or addresses outside a translated network. Port 0 stands for the port of "
     "the first listening endpoint. By default references have the listening addresses. If the server "
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
