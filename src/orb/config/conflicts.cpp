#include "orb/config/conflicts.h"

#include <algorithm>
#include <set>

namespace takt::orb {

namespace {

bool lacks_bidirectional_giop(const Settings& settings) { return settings.giop_version != "1.2"; }

bool accepts_bidirectional(const Settings& settings) { return settings.accept_bidirectional != "off"; }

// Whether two cannot listen there: the system is left no choice of a port or path.
bool is_one_place(const std::string& endpoint) {
  const auto colon = endpoint.rfind(':');
  if (colon == std::string::npos || colon + 1 == endpoint.size()) return false;
  return endpoint.starts_with("unix:") || endpoint.compare(colon, std::string::npos, ":0") != 0;
}

// Of PRIORITY=ENDPOINT.
std::string endpoint_of(const std::string& lane) { return lane.substr(lane.find('=') + 1); }

bool lane_listens_where_all_do(const Settings& settings) {
  return std::ranges::any_of(settings.lane_endpoints, [&](const std::string& lane) {
    const std::string endpoint = endpoint_of(lane);
    return is_one_place(endpoint) && std::ranges::count(settings.listen_endpoints, endpoint) > 0;
  });
}

bool lanes_listen_at_one_place(const Settings& settings) {
  std::set<std::string> places;
  return std::ranges::any_of(settings.lane_endpoints, [&](const std::string& lane) {
    const std::string endpoint = endpoint_of(lane);
    return is_one_place(endpoint) && !places.insert(endpoint).second;
  });
}

constexpr Conflict table[] = {
    {"ServerConcurrency", "AcceptBidirectional",
     [](const Settings& s) { return s.server_concurrency == "reactive" && accepts_bidirectional(s); },
     "`reactive`; not `off`",
     "one thread runs all upcalls of a reactive server, and it cannot wait for a call-back's reply and serve",
     "leader-followers with ServerThreads 1 runs one upcall at a time as well, and has a pool for "
     "call-backs"},
    {"AcceptBidirectional", "GIOPVersion",
     [](const Settings& s) { return accepts_bidirectional(s) && lacks_bidirectional_giop(s); },
     "not `off`; below 1.2", "clients offer their connections in GIOP 1.2 alone",
     "leave GIOPVersion at 1.2, by which older clients are served too, or AcceptBidirectional off"},
    {"BidirectionalPolicy", "GIOPVersion",
     [](const Settings& s) { return s.bidirectional_policy == "both" && lacks_bidirectional_giop(s); },
     "`both`; below 1.2", "connections are offered to servers in GIOP 1.2 alone",
     "leave GIOPVersion at 1.2, by which older servers are called too, or BidirectionalPolicy normal"},
    {"KeyMAC", "KeySecretFile",
     [](const Settings& s) { return s.key_mac == "none" && !s.key_secret_file.empty(); }, "`none`; a file",
     "the secret would seal nothing, and everybody could make object keys",
     "give KeyMAC siphash, or no KeySecretFile"},
    {"SchedulingClass", "PriorityMapping",
     [](const Settings& s) { return s.scheduling_class == "other" && s.priority_mapping != "linear"; },
     "`other`; not `linear`",
     "that class has no priority but 0, so that every other RT-CORBA priority is refused",
     "give SchedulingClass fifo or round-robin, or PriorityMapping linear, which leads all to that 0"},
    {"LaneEndpoints", "ListenEndpoints", lane_listens_where_all_do, "the same port or path",
     "a lane listens apart, so that less urgent requests cannot hold up its own",
     "give the lane a place of its own, or none, and the system chooses"},
    {"LaneEndpoints", "LaneEndpoints", lanes_listen_at_one_place, "the same port or path twice",
     "requests of one priority would wait in the queue of another",
     "give each lane a place of its own, or none, and the system chooses"},
};

}  // namespace

std::span<const Conflict> conflicts() { return table; }

}  // namespace takt::orb
