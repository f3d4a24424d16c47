#include "orb/config/changes.h"

#include <algorithm>

namespace takt::orb {

namespace {

constexpr std::string_view for_accepted =
    "at once; with thread-per-connection for connections that are accepted from then on";
constexpr std::string_view for_opened = "for connections that are opened from then on";
constexpr std::string_view for_lane_queues =
    "at once, and those that wait stay. Only where the lanes have begun with queues, which they keep";

constexpr Change change_table[] = {
    {"InitRef", true, "when it is resolved next"},
    {"ObjectKey", true, "at once"},
    {"Plugin", true,
     "at once: ListenEndpoints and references that are read from then on may have its transports; they stay "
     "as long as the ORB"},
    {"ListenEndpoints", true,
     "at once: the server listens there as well, and references made from then on say so, unless "
     "PublishedEndpoints does. Once the root POA has been asked for"},
    {"MaxQueuedRequests", false, "at once, and those that wait stay"},
    {"FilterBudget", false, "at once"},
    {"MaxConnections", false, "for connections that are accepted from then on; none is closed"},
    {"MaxConnectionsPerPeer", false, "for connections that are accepted from then on; none is closed"},
    {"IdleTimeout", false, for_accepted},
    {"MessageTimeout", false, "at once; with thread-per-connection for messages that begin from then on"},
    {"SendTimeout", false, for_accepted},
    {"ShutdownTimeout", false, "when the ORB shuts down, or a thread pool is destroyed"},
    {"HoldTimeout", false, "for requests that come from then on"},
    {"HeldRequests", false, "at once, and those that wait stay"},
    {"SendQueueSize", false, for_opened},
    {"ConnectTimeout", false, for_opened},
    {"RoundTripTimeout", false,
     "for calls that begin from then on; a connection that threads share, and that is open, may let one take "
     "as long as formerly"},
    {"MaxRedirections", false, "at once"},
    {"TLSHandshakeTimeout", false, "for clients that connect from then on"},
    {"Lanes", false,
     "at once, for the most dynamic threads of each lane; the lanes, their priorities and static threads "
     "stay"},
    {"LaneQueuedRequests", false, for_lane_queues},
    {"LaneQueuedOctets", false, for_lane_queues},
    {"MaxLaneUtilisation", false, "for lanes that are made from then on"},
    {"CompressionThreshold", false, for_opened},
    {"CompressionLevel", false, for_opened},
    {"MaxExpansion", false,
     "for connections that are opened from then on; with cached, to servers that the process has none to"},
    {"MaxMessageSize", false, "for connections that are opened from then on; in fragments, on all of them"},
    {"ConnectionMemory", false, "for connections that are opened, or accepted, from then on"},
    {"ServerMemory", false, "at once; what has more than that already keeps it"},
    {"ClientMemory", false, "at once; what has more than that already keeps it"},
    {"MaxOutstandingRequests", false, for_opened},
    {"LogLevel", false, "at once"},
};

constexpr std::string_view threads_are_there = "the threads that have it are there";
constexpr std::string_view listening_has_it =
    "what listens, and connections that are open, have the present one";
constexpr std::string_view groups_have_it = "the addresses of groups that are open have the present one";
constexpr std::string_view keys_are_made_for_it =
    "the keys of references that are out there are made for the present one";
constexpr std::string_view references_say_it = "references that are out there say the present one";

struct Reason {
  std::string_view option, why;
};
constexpr Reason reasons[] = {
    {"ServerConcurrency", "the connections that are open belong to the threads of the present one"},
    {"ServerThreads", "the pool's threads are there"},
    {"BidirectionalThreads", "the pool's threads are there"},
    {"ClientConnections", "the connections that are open belong to the present one"},
    {"GIOPVersion", references_say_it},
    {"MinGIOPVersion", "connections that are open, and references that were read, have the present one"},
    {"AdapterTimeout", "it counts from when the server first listens"},
    {"AdaptersComplete", "it is about how the server starts"},
    {"CharCodeSet", "references that are out there, and open connections, say the present one"},
    {"KeyMAC", "references that are out there would become invalid"},
    {"KeySecretFile", "references that are out there would become invalid"},
    {"AdapterLookup", keys_are_made_for_it},
    {"ServantLookup", keys_are_made_for_it},
    {"POALookup", "the keys of references that are out there are made for the present ones"},
    {"PublishedEndpoints", "references that are out there would go on saying the present ones"},
    {"SendBuffer", listening_has_it},
    {"ReceiveBuffer", listening_has_it},
    {"LentMemory", listening_has_it},
    {"KeepAlive", listening_has_it},
    {"TrafficClass", listening_has_it},
    {"SocketPriority", listening_has_it},
    {"TrafficClasses", listening_has_it},
    {"SocketPriorities", listening_has_it},
    {"QualityTrafficClass", listening_has_it},
    {"BusyPoll", listening_has_it},
    {"DatagramSize", listening_has_it},
    {"DatagramWindow", listening_has_it},
    {"DatagramRepeat", listening_has_it},
    {"DatagramProbe", listening_has_it},
    {"MulticastBuffer", groups_have_it},
    {"MulticastPatience", groups_have_it},
    {"TLSCertificate", "open connections rest on it; ORB::_reload_certificates() reads its file again"},
    {"TLSKey", "open connections rest on it; ORB::_reload_certificates() reads its file again"},
    {"TLSAuthorities", "open connections rest on them; ORB::_reload_certificates() reads them again"},
    {"TLSRevoked", "open connections rest on it; ORB::_reload_certificates() reads its file again"},
    {"SchedulingClass", threads_are_there},
    {"PriorityMapping", threads_are_there},
    {"WatchPriority", threads_are_there},
    {"LaneCpus", threads_are_there},
    {"LaneReservations", threads_are_there},
    {"ReserveLaneLoads", threads_are_there},
    {"StackPrefault", threads_are_there},
    {"LaneLoads", "the existing lanes were admitted with the present ones"},
    {"FragmentSize",
     "GIOPlite and compression, which connections and policies may have, rest on there being none"},
    {"LockMemory", "what has been touched already may have left the machine's memory"},
    {"id", "others know the ORB by it"},
};

}  // namespace

std::span<const Change> changes() { return change_table; }

const Change* find_change(std::string_view option) {
  const auto found = std::ranges::find(change_table, option, &Change::option);
  return found == std::end(change_table) ? nullptr : &*found;
}

std::string why_not(std::string_view option) {
  const auto found = std::ranges::find(reasons, option, &Reason::option);
  return std::string(option) + " cannot be changed while the ORB runs: " +
         std::string(found == std::end(reasons) ? "it is read when the ORB starts, and not again"
                                                : found->why) +
         "; give it to another ORB, or start this one again";
}

}  // namespace takt::orb
