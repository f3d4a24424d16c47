#include "orb/personality/personality.h"

namespace takt::orb {

namespace {

constexpr Preset avionics_presets[] = {
    {"ServerConcurrency", "reactive", "one thread serves; lanes of one thread are a reactor per priority"},
    {"ClientConnections", "exclusive", "a connection per thread, and so per priority"},
    {"ListenEndpoints", "unix:,iiop://localhost:0", "within the machine no network protocol is between"},
    {"AdapterLookup", "delayered", "one access to a table, however many adapters"},
    {"ServantLookup", "delayered", "the same access, however many objects"},
    {"OperationLookup", "perfect", "one hash, made when the IDL was compiled"},
    {"QueueOrder", "priority", "urgent requests do not wait behind others"},
    {"PriorityMapping", "direct", "tables of schedules have the system's own priorities"},
    {"SchedulingClass", "fifo", "rate-monotonic priorities need a class without time slices"},
    {"MaxLaneUtilisation", "69",
     "ln 2: rate-monotonic lanes of one processor meet their deadlines up to there, however many"},
    {"ReserveLaneLoads", "on", "the loads that were admitted are there, whatever else the machine does"},
    {"LockMemory", "on", "no page comes from a disk; said, and left out, where it is not permitted"},
    {"StackPrefault", "64KiB", "no page of a stack comes while a request is served"},
    {"MinGIOPVersion", "1.2", "older versions are one more way in, and none of its peers needs them"},
    {"IdleTimeout", "0", "no call pays for opening a connection again"},
    {"KeepAlive", "10s", "clients that vanish do not hold theirs for ever, since none is idle"},
    {"MaxMessageSize", "1MiB", "no message can take more memory or time than was planned for"},
};

}  // namespace

const Personality avionics_personality = {
    .name = "avionics",
    .meaning =
        "Short periodic upcalls with deadlines: a reactor per priority, fixed costs, nothing shared "
        "between priorities. An upcall that waits keeps its priority's requests waiting.",
    .presets = avionics_presets,
};

}  // namespace takt::orb
