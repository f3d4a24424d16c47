// Servers and clients that may take local roads, and the roads that they have taken.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "../transports/served.h"
#include "giop/references/profile.h"
#include "reference/local_roads.h"
#include "reference/text/stringified_ior.h"

namespace feature {

// With a timeout that makes tests independent of how busy the machine is.
inline const Options on{"-ORBLocalRoads", "on", "-ORBLocalRoadTimeout", "5s"};

// The names of the road sockets of this process's servers that have a client, one for each connection.
inline std::vector<std::string> roads_taken() {
  std::vector<std::string> names;
  for (const OpenSocket& socket : open_sockets()) {
    sockaddr_un own{};
    socklen_t size = sizeof own;
    if (socket.family != AF_UNIX || ::getsockname(socket.fd, reinterpret_cast<sockaddr*>(&own), &size) != 0 ||
        size <= sizeof(sa_family_t) + 1 || own.sun_path[0] != '\0')
      continue;
    names.emplace_back(own.sun_path + 1, size - sizeof(sa_family_t) - 1);
  }
  return names;
}

// Whether the name is that of a road of that kind.
inline bool is_of(const std::string& kind, const std::string& name) {
  return name.starts_with("takt-road-") && name.ends_with("-" + kind);
}

inline long taken(const std::string& kind) {
  return std::ranges::count_if(roads_taken(), [&](const std::string& name) { return is_of(kind, name); });
}

// The reference with its offers changed by `change`; the octets of a component are written as they are.
template <class Change>
std::string with_changed_offer(const std::string& ior, Change change) {
  auto read = takt::reference::ior_from_text(ior).value();
  for (auto& tagged : read.profiles) {
    auto profile = takt::giop::read_iiop_profile(tagged);
    if (!profile) continue;
    for (auto& component : profile->components)
      if (component.tag == takt::reference::local_roads_component) change(component.data);
    tagged = takt::giop::write_iiop_profile(*profile);
  }
  return takt::reference::ior_to_text(read);
}

inline bool has_offer(const std::string& ior) {
  bool found = false;
  (void)with_changed_offer(ior, [&](auto&) { found = true; });
  return found;
}

// The port of the first profile.
inline std::uint16_t port_in(const std::string& ior) {
  return takt::giop::read_iiop_profile(takt::reference::ior_from_text(ior).value().profiles.front())
      .value()
      .port;
}

inline std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace feature
