#include "orb/personality/personality.h"

namespace takt::orb {

namespace {

constexpr Preset realtime_presets[] = {
    {"ServerConcurrency", "leader-followers", "no thread is made while requests are served"},
    {"QueueOrder", "priority", "urgent requests do not wait behind others"},
    {"ClientConnections", "exclusive", "a thread's calls wait for no other thread's"},
    {"SchedulingClass", "fifo", "an urgent thread keeps the processor until it waits"},
    {"ReserveLaneLoads", "on", "lanes that declare what they need have it before all ordinary work"},
    {"LockMemory", "on", "no page comes from a disk; said, and left out, where it is not permitted"},
    {"StackPrefault", "64KiB", "no page of a stack comes while a request is served"},
    {"MinGIOPVersion", "1.2", "older versions are one more way in, and none of its peers needs them"},
    {"IdleTimeout", "0", "no call pays for opening a connection again"},
    {"KeepAlive", "10s", "clients that vanish do not hold theirs for ever, since none is idle"},
};

}  // namespace

const Personality realtime_personality = {
    .name = "realtime",
    .meaning =
        "Several threads serve, and priorities say in which order; for servers whose thread pools "
        "have lanes, and their clients.",
    .presets = realtime_presets,
};

}  // namespace takt::orb
