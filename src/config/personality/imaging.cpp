#include "config/personality/personality.h"

namespace takt::orb {

namespace {

// Connection buffers keep the system's sizes, which for TCP grow with the path's capacity. A fixed size would
// disable that, and is limited by net.core.wmem_max. Long octet sequences are not copied in any personality.
constexpr Preset imaging_presets[] = {
    {"ServerConcurrency", "thread-per-connection", "a long message delays only its sender"},
    {"ClientConnections", "exclusive", "a long message delays no other thread's calls"},
    {"MaxMessageSize", "1GiB", "an image is one message"},
    {"FragmentSize", "0", "an image is sent in one piece, without a copy"},
    {"MessageTimeout", "5min", "long messages take long to arrive"},
    {"SendTimeout", "5min", "long replies take long to send"},
    {"RoundTripTimeout", "10min", "the request, the work and the reply"},
};

}  // namespace

const Personality imaging_personality = {
    .name = "imaging",
    .meaning =
        "Few connections with long messages, such as medical images. Not for untrusted clients: each may "
        "occupy MaxMessageSize of memory.",
    .presets = imaging_presets,
};

}  // namespace takt::orb
