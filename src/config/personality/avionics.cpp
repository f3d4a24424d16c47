#include "config/personality/personality.h"

namespace takt::orb {

namespace {

constexpr Preset avionics_presets[] = {
    {"ServerConcurrency", "reactive", "one thread serves; lanes of one thread are a reactor per priority"},
    {"ClientConnections", "exclusive", "one connection per thread, and therefore per priority"},
    {"ListenEndpoints", "unix:,iiop://localhost:0", "within one machine, calls use no network protocol"},
    {"LocalRoads", "off", "the unix: endpoint is named, so that the road does not depend on the load"},
    {"AdapterLookup", "delayered", "one table access, for any number of adapters"},
    {"ServantLookup", "delayered", "the same access finds the servant, for any number of objects"},
    {"OperationLookup", "perfect", "one hash, computed when the IDL is compiled"},
    {"QueueOrder", "priority",
     "a queue, where lanes or a pool have one, gives the most urgent request first"},
    {"PriorityMapping", "direct", "schedule tables contain priorities of the system"},
    {"SchedulingClass", "fifo", "rate-monotonic priorities need a class without time slices"},
    {"MaxLaneUtilisation", "69",
     "ln 2: any number of rate-monotonic lanes on one processor meet their deadlines up to this load"},
    {"ReserveLaneLoads", "on", "other work on the machine cannot take the time of admitted loads"},
    {"LockMemory", "on", "no page is read from disk; without permission the ORB warns and continues"},
    {"StackPrefault", "64KiB", "no page fault on a stack while a request is served"},
    {"MinGIOPVersion", "1.2",
     "older versions enlarge the attack surface, and peers of such a system do not need them"},
    {"IdleTimeout", "0", "no call has to reopen a connection"},
    {"KeepAlive", "10s", "connections of vanished clients end, although none counts as idle"},
    {"ReplyHold", "0", "no reply waits for the upcall of another request"},
    {"MaxMessageSize", "1MiB", "bounds the memory and time of a message"},
};

}  // namespace

const Personality avionics_personality = {
    .name = "avionics",
    .meaning =
        "Short periodic upcalls with deadlines: a reactor per priority, fixed costs, nothing shared between "
        "priorities. An upcall that blocks delays all requests of its priority.",
    .presets = avionics_presets,
};

}  // namespace takt::orb
