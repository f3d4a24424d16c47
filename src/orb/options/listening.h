// Options of the endpoints at which a server listens.
#pragma once

#include <algorithm>
#include <set>
#include <string>

#include "orb/options/common.h"

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
     "a lane listens apart, so that less urgent requests cannot hold up its own",
     "give the lane a place of its own, or none, and the system chooses"},
    {"LaneEndpoints", lanes_listen_at_one_place, "the same port or path twice",
     "requests of one priority would wait in the queue of another",
     "give each lane a place of its own, or none, and the system chooses"},
};

constexpr Option listening_options[] = {
    {"ListenEndpoints",
     Texts{at<&S::serving, &ServingOptions::listen_endpoints>,
           "iiop://HOST:PORT, ssliop://HOST:PORT, udp://HOST:PORT, unix:PATH, shm:PATH, @NAME for PATH, "
           "inproc:NAME",
           ",;"},
     add_live("at once: the server listens there as well, and references made from then on say so, unless "
              "PublishedEndpoints does. Once the root POA has been asked for",
              &RunningOrb::listen_there_too),
     "Where a server listens, in order of preference. By default only this machine's own clients reach it. "
     "No host, as in iiop://:2809: all interfaces, IPv4 and IPv6. localhost: this machine's own addresses, "
     "127.0.0.1 and, where there is IPv6, ::1. Port 0, and no path or name: the system chooses. Listening "
     "begins when the root POA is first asked for."},
    {"PublishedEndpoints",
     Texts{at<&S::serving, &ServingOptions::published_endpoints>, "as ListenEndpoints", ",;"},
     fixed("references that are out there would go on saying the present ones"),
     "What object references say, in order of preference, where it differs from where the server listens: "
     "host names, addresses outside of a translated network. Port 0: that of the first listening endpoint. "
     "By default the addresses that the server listens on; for all interfaces, each address of this "
     "machine."},
    {"LaneEndpoints",
     Texts{at<&S::serving, &ServingOptions::lane_endpoints>, "PRIORITY=ENDPOINT, as ListenEndpoints has it",
           ",;"},
     fixed(),
     "Where the lane of that RT-CORBA priority listens, or a pool without lanes of that default priority, "
     "so that references hold across restarts: 40=iiop://:2840. By default it listens beside "
     "ListenEndpoints, at ports and paths that the system chooses.",
     lane_endpoint_conflicts},
};

}  // namespace takt::orb::table
