#include "config/personality/personality.h"

namespace takt::orb {

namespace {

constexpr Preset minimal_presets[] = {
    {"ServerConcurrency", "reactive", "the one thread of ORB::run serves all connections"},
    {"ClientConnections", "multiplexed", "one connection to each server"},
    {"BidirectionalThreads", "1", "the smallest pool for bidirectional connections"},
    {"MaxConnections", "64", "each connection has its own buffers"},
    {"IdleTimeout", "1min", "idle connections free their buffers early"},
    {"MaxMessageSize", "256KiB", "bounds the memory of a connection's message"},
    {"SendBuffer", "32KiB", "the system's memory for each connection"},
    {"ReceiveBuffer", "32KiB", "the system's memory for each connection"},
    {"LocalRoads", "off", "four sockets fewer for each endpoint, and no shared memory"},
    {"MinGIOPVersion", "1.2",
     "older versions enlarge the attack surface, and peers of such a system do not need them"},
    {"SendQueueSize", "64KiB", "bounds the requests that wait to be sent"},
    {"MaxQueuedRequests", "16", "bounds the requests that wait for a thread"},
    {"HeldRequests", "16", "bounds the requests that wait for a POA manager"},
    {"MaxOutstandingRequests", "64", "bounds the calls that wait for replies"},
    {"TimeProbeRecords", "1024", "bounds the memory of time probes"},
};

}  // namespace

const Personality minimal_personality = {
    .name = "minimal",
    .meaning = "The least memory and the fewest threads: one thread, few connections, short messages.",
    .presets = minimal_presets,
};

}  // namespace takt::orb
