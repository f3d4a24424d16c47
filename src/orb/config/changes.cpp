#include "orb/config/changes.h"

#include <algorithm>

namespace takt::orb {

namespace {

constexpr Change change_table[] = {
    {"InitRef", true, "when it is resolved next"},
    {"ObjectKey", true, "at once"},
    {"Plugin", true,
     "at once: ListenEndpoints and references that are read from then on may have its transports; they stay "
     "as long as the ORB"},
    {"ListenEndpoints", true,
     "at once: the server listens there as well, and references made from then on say so, unless "
     "PublishedEndpoints does. Once the root POA has been asked for"},
    {"MaxConnections", false, "for connections that are accepted from then on; none is closed"},
    {"Lanes", false,
     "at once, for the most dynamic threads of each lane; the lanes, their priorities and static threads "
     "stay"},
    {"MaxMessageSize", false, "for connections that are opened from then on; in fragments, on all of them"},
    {"MaxOutstandingRequests", false, "for connections that are opened from then on"},
    {"LogLevel", false, "at once"},
};

struct Reason {
  std::string_view option, why;
};
constexpr Reason reasons[] = {
    {"ServerConcurrency", "the connections that are open belong to the threads of the present one"},
    {"ServerThreads", "the pool's threads are there"},
    {"ClientConnections", "the connections that are open belong to the present one"},
    {"GIOPVersion", "references that are out there say the present one"},
    {"CharCodeSet", "references that are out there, and open connections, say the present one"},
    {"KeyMAC", "references that are out there would become invalid"},
    {"KeySecretFile", "references that are out there would become invalid"},
    {"AdapterLookup", "the keys of references that are out there are made for the present one"},
    {"ServantLookup", "the keys of references that are out there are made for the present one"},
    {"POALookup", "the keys of references that are out there are made for the present ones"},
    {"PublishedEndpoints", "references that are out there would go on saying the present ones"},
    {"TLSCertificate", "open connections rest on it; ORB::_reload_certificates() reads its file again"},
    {"TLSKey", "open connections rest on it; ORB::_reload_certificates() reads its file again"},
    {"TLSAuthorities", "open connections rest on them; ORB::_reload_certificates() reads them again"},
    {"TLSRevoked", "open connections rest on it; ORB::_reload_certificates() reads its file again"},
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
