// Selection of optional ORB features, for small programs.
#pragma once

namespace takt {

class Parts;

// Selects the features that ORBs of this program have besides GIOP over TCP. The library's default adds all
// of those below but add_admin(), add_recorder(), add_tracing(), add_io_uring() and add_reflection(). A
// program may define this function itself, once, in any source. Features that it does not add are then not
// linked from the static library (nor is OpenSSL without TLS):
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
void add_local_roads(Parts& parts);          // -ORBLocalRoads
void add_udp(Parts& parts);                  // udp://
void add_tls(Parts& parts);                  // ssliop://
void add_groups(Parts& parts);               // members of multicast groups, and calls to groups
void add_configuration_files(Parts& parts);  // -ORBConfig and TAKT_CONFIG
void add_upkeep(Parts& parts);               // -ORBSignals, -ORBReloadInterval and -ORBServiceNotify
// The library's default does not have these:
void add_admin(Parts& parts);              // -ORBAdmin
void add_recorder(Parts& parts);           // -ORBRecorder
void add_tracing(Parts& parts);            // -ORBTracing
void add_io_uring(Parts& parts);           // -ORBReactor io_uring
inline void add_reflection(Parts& parts);  // -ORBReflection, -ORBInitRef InterfaceRepository=URL
inline void add_all(Parts& parts);         // everything above

namespace detail {
// The linker's names of the section in which skeletons have their descriptions; null if there are none. They
// are those of the program or shared library in which the functions below are compiled.
extern const char* const first_interface[] __asm__("__start_takt_interfaces")
    __attribute__((weak, visibility("hidden")));
extern const char* const last_interface[] __asm__("__stop_takt_interfaces")
    __attribute__((weak, visibility("hidden")));
void add_reflection(Parts& parts, const char* const* first, const char* const* last);
void add_own(Parts& parts);
}  // namespace detail

// Describes the interfaces whose skeletons are linked into the same executable or shared library as the
// caller.
inline void add_reflection(Parts& parts) {
  detail::add_reflection(parts, detail::first_interface, detail::last_interface);
}
inline void add_all(Parts& parts) {
  detail::add_own(parts);
  add_reflection(parts);
}

}  // namespace takt
