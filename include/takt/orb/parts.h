// What the ORBs of a program consist of, beside GIOP over TCP: for programs that have to be small.
#pragma once

namespace takt {

class Parts;

// Says what an ORB of this program has. The library's own adds all there is, as below. A program that
// defines this function itself, once and in any of its sources, has what it adds there and nothing else, and
// what it does not name is not linked from the static library (nor is OpenSSL's for TLS):
//
//   void takt::choose_parts(Parts& parts) { takt::add_unix_domain(parts); }
//
// An option or an endpoint that needs a part which is not there keeps the ORB from starting, with the
// part's name; of references the profiles that need one are passed over. Called once in a process, in the
// thread that initialises its first ORB; it must not throw.
void choose_parts(Parts& parts);

// For choose_parts() alone.
void add_unix_domain(Parts& parts);          // unix:
void add_shared_memory(Parts& parts);        // shm:
void add_in_process(Parts& parts);           // inproc:
void add_udp(Parts& parts);                  // udp://
void add_tls(Parts& parts);                  // ssliop://
void add_groups(Parts& parts);               // objects that are called by multicast, and calls to them
void add_configuration_files(Parts& parts);  // -ORBConfig and TAKT_CONFIG
void add_upkeep(Parts& parts);               // -ORBSignals, -ORBReloadInterval and -ORBServiceNotify

}  // namespace takt
