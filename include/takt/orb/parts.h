// Selection of optional ORB features, for small programs.
#pragma once

namespace takt {

class Parts;

// Selects the features that ORBs of this program have besides GIOP over TCP. The library's default adds all
// of those below but add_admin(). A program may define this function itself, once, in any source. Features
// that it does not add are then not linked from the static library (nor is OpenSSL without TLS):
//
//   void takt::choose_parts(Parts& parts) { takt::add_unix_domain(parts); }
//
// An option or endpoint that needs a missing feature prevents the ORB from starting; the error names the
// feature. Profiles of references that need one are ignored. Called once per process, in the thread that
// initialises the first ORB. It must not throw.
void choose_parts(Parts& parts);

// Call these only in choose_parts().
void add_unix_domain(Parts& parts);          // unix:
void add_shared_memory(Parts& parts);        // shm:
void add_in_process(Parts& parts);           // inproc:
void add_udp(Parts& parts);                  // udp://
void add_tls(Parts& parts);                  // ssliop://
void add_groups(Parts& parts);               // members of multicast groups, and calls to groups
void add_configuration_files(Parts& parts);  // -ORBConfig and TAKT_CONFIG
void add_upkeep(Parts& parts);               // -ORBSignals, -ORBReloadInterval and -ORBServiceNotify
// The library's default does not have these:
void add_admin(Parts& parts);  // -ORBAdmin
void add_all(Parts& parts);    // everything above

}  // namespace takt
