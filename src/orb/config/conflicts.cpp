#include "orb/config/conflicts.h"

#include <algorithm>
#include <set>

namespace takt::orb {

namespace {

bool lacks_bidirectional_giop(const Settings& settings) { return settings.giop_version != "1.2"; }

bool accepts_bidirectional(const Settings& settings) { return settings.accept_bidirectional != "off"; }

bool speaks_lite(const Settings& settings) { return settings.messaging == "giop-lite"; }

bool compresses(const Settings& settings) { return settings.compression == "on"; }

// Whether the endpoint has a fixed port or path, so that only one listener can have it.
bool is_one_place(const std::string& endpoint) {
  constexpr std::string_view unix_paths = "unix:";
  if (endpoint.starts_with(unix_paths)) return endpoint.size() > unix_paths.size();
  const std::string_view port = std::string_view(endpoint).substr(endpoint.rfind(':') + 1);
  return port.find_first_not_of("0123456789") == port.npos && port.find_first_not_of('0') != port.npos;
}

// The endpoint in PRIORITY=ENDPOINT.
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

bool lane_is_bound_and_reserved(const Settings& settings) {
  const auto priority_of = [](const std::string& lane) { return lane.substr(0, lane.find('=')); };
  return std::ranges::any_of(settings.lane_reservations, [&](const std::string& reserved) {
    return std::ranges::count(settings.lane_processors, priority_of(reserved), priority_of) > 0;
  });
}

constexpr Conflict conflict_table[] = {
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
    {"MinGIOPVersion", "GIOPVersion", [](const Settings& s) { return s.min_giop_version > s.giop_version; },
     "above GIOPVersion", "no version would be left to speak",
     "leave GIOPVersion at 1.2, or give MinGIOPVersion a lower one"},
    {"BidirectionalPolicy", "GIOPVersion",
     [](const Settings& s) { return s.bidirectional_policy == "both" && lacks_bidirectional_giop(s); },
     "`both`; below 1.2", "connections are offered to servers in GIOP 1.2 alone",
     "leave GIOPVersion at 1.2, by which older servers are called too, or BidirectionalPolicy normal"},
    {"Messaging", "GIOPVersion", [](const Settings& s) { return speaks_lite(s) && s.giop_version != "1.2"; },
     "`giop-lite`; below 1.2", "short heads stand for those of GIOP 1.2 alone",
     "leave GIOPVersion at 1.2, by which older ORBs are spoken with too, or Messaging giop"},
    {"Messaging", "FragmentSize", [](const Settings& s) { return speaks_lite(s) && s.fragment_bytes != 0; },
     "`giop-lite`; not 0", "messages with short heads have no fragments",
     "leave FragmentSize at 0, or Messaging giop"},
    {"Compression", "GIOPVersion", [](const Settings& s) { return compresses(s) && s.giop_version != "1.2"; },
     "`on`; below 1.2", "what is inside a compressed message is one of GIOP 1.2",
     "leave GIOPVersion at 1.2, by which older ORBs are spoken with too, or Compression off"},
    {"Compression", "FragmentSize", [](const Settings& s) { return compresses(s) && s.fragment_bytes != 0; },
     "`on`; not 0", "compressed messages have no fragments", "leave FragmentSize at 0, or Compression off"},
    {"KeyMAC", "KeySecretFile",
     [](const Settings& s) { return s.key_mac == "none" && !s.key_secret_file.empty(); }, "`none`; a file",
     "the secret would seal nothing, and everybody could make object keys",
     "give KeyMAC siphash, or no KeySecretFile"},
    {"SchedulingClass", "PriorityMapping",
     [](const Settings& s) {
       return s.scheduling_class == "other" &&
              (s.priority_mapping == "direct" || s.priority_mapping == "continuous");
     },
     "`other`; `direct` or `continuous`",
     "that class has no priority but 0, so that every other RT-CORBA priority is refused",
     "give SchedulingClass fifo or round-robin, or PriorityMapping linear, which leads all to that 0"},
    {"TLSPlainToo", "TLSClientCertificates",
     [](const Settings& s) { return s.tls_plain_too == "on" && s.tls_client_certificates == "required"; },
     "`on`; `required`", "clients without a certificate would connect to the same port without TLS",
     "give TLSClientCertificates optional, and have servants ask who calls, or TLSPlainToo off"},
    {"TLSCertificate", "TLSKey",
     [](const Settings& s) { return s.tls_certificate.empty() && !s.tls_key.empty(); }, "none; a file",
     "a key without its certificate does not identify the ORB to peers",
     "give TLSCertificate the certificate's file, or no TLSKey"},
    {"TLSServerCertificates", "TLSRevoked",
     [](const Settings& s) {
       return s.tls_server_certificates == "none" && s.tls_client_certificates == "none" &&
              !s.tls_revoked.empty();
     },
     "`none`, as TLSClientCertificates; a file", "no certificate is checked, so none could be refused",
     "give TLSServerCertificates required, or TLSClientCertificates optional or required, or no TLSRevoked"},
    {"LaneEndpoints", "ListenEndpoints", lane_listens_where_all_do, "the same port or path",
     "a lane listens apart, so that less urgent requests cannot hold up its own",
     "give the lane a place of its own, or none, and the system chooses"},
    {"LaneEndpoints", "LaneEndpoints", lanes_listen_at_one_place, "the same port or path twice",
     "requests of one priority would wait in the queue of another",
     "give each lane a place of its own, or none, and the system chooses"},
    {"LaneQueuedRequests", "Lanes",
     [](const Settings& s) {
       return s.lanes.empty() && (s.lane_queued_requests | s.lane_queued_octets) != 0;
     },
     "not 0, or LaneQueuedOctets is not; none", "there is no lane whose queue it would bound",
     "give Lanes, or create_threadpool_with_lanes the bounds"},
    {"LaneBorrowing", "Lanes",
     [](const Settings& s) { return s.lane_borrowing == "on" && s.lanes.size() < 2; }, "`on`; fewer than two",
     "there is no lower lane from which a thread could come",
     "give Lanes at least two, or LaneBorrowing off"},
    {"LaneReservations", "LaneCpus", lane_is_bound_and_reserved, "the same priority",
     "the system sets time aside only for threads that may run on any processor",
     "leave one of them out for that priority, or bind others with LaneCpus, to other processors"},
};

}  // namespace

std::span<const Conflict> conflicts() { return conflict_table; }

}  // namespace takt::orb
