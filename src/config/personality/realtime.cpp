#include "config/personality/personality.h"

namespace takt::orb {

namespace {

constexpr Preset realtime_presets[] = {
    {"ServerConcurrency", "leader-followers", "no thread is made while requests are served"},
    {"QueueOrder", "priority",
     "a queue, where lanes or a pool have one, gives the most urgent request first"},
    {"ClientConnections", "exclusive", "calls of one thread never wait for calls of another"},
    {"SchedulingClass", "fifo", "an urgent thread keeps the processor until it waits"},
    {"ReserveLaneLoads", "on", "declared loads of lanes run before all ordinary work"},
    {"LockMemory", "on", "no page is read from disk; without permission the ORB warns and continues"},
    {"StackPrefault", "64KiB", "no page fault on a stack while a request is served"},
    {"MinGIOPVersion", "1.2",
     "older versions enlarge the attack surface, and peers of such a system do not need them"},
    {"IdleTimeout", "0", "no call has to reopen a connection"},
    {"KeepAlive", "10s", "connections of vanished clients end, although none counts as idle"},
    {"LocalRoads", "off", "which road a connection takes depends on the load when it opens"},
    {"ReplyHold", "0", "no reply waits for the upcall of another request"},
};

}  // namespace

const Personality realtime_personality = {
    .name = "realtime",
    .meaning =
        "A fixed pool of threads serves requests. For servers whose thread pools have lanes, which keep "
        "priorities apart, and for their clients.",
    .presets = realtime_presets,
};

}  // namespace takt::orb
