#include "orb/personality/personality.h"

namespace takt::orb {

namespace {

constexpr Preset minimal_presets[] = {
    {"ServerConcurrency", "reactive", "the one thread of ORB::run serves all connections"},
    {"ClientConnections", "multiplexed", "one connection to each server"},
    {"BidirectionalThreads", "1", "the smallest pool, where connections are used both ways"},
    {"MaxConnections", "64", "each has buffers of its own"},
    {"IdleTimeout", "1min", "which are given back soon"},
    {"MaxMessageSize", "256KiB", "the most that a connection's message takes"},
    {"SendBuffer", "32KiB", "of the system's, for each connection"},
    {"ReceiveBuffer", "32KiB", "likewise"},
    {"MinGIOPVersion", "1.2", "older versions are one more way in, and none of its peers needs them"},
    {"SendQueueSize", "64KiB", "requests that wait to be sent"},
    {"MaxQueuedRequests", "16", "requests that wait to be served"},
    {"HeldRequests", "16", "requests that wait for a POA manager"},
    {"MaxOutstandingRequests", "64", "replies that are waited for"},
    {"TimeProbeRecords", "1024", "where calls are probed"},
};

}  // namespace

const Personality minimal_personality = {
    .name = "minimal",
    .meaning = "The least memory and the fewest threads: one thread, few connections, short messages.",
    .presets = minimal_presets,
};

}  // namespace takt::orb
