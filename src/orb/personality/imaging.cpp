#include "orb/personality/personality.h"

namespace takt::orb {

namespace {

// Connection buffers keep the system's sizes, which for TCP grow with the path's capacity. A fixed size would
// disable that, and is limited by net.core.wmem_max. Long octet sequences are not copied in any personality.
constexpr Preset imaging_presets[] = {
    {"ServerConcurrency", "thread-per-connection", "a long message delays only its sender"},
    {"ClientConnections", "exclusive", "a long message keeps no other thread's calls waiting"},
    {"MaxMessageSize", "1GiB", "an image is one message"},
    {"FragmentSize", "0", "which is sent from where it is, in one piece"},
    {"MessageTimeout", "5min", "long messages arrive for long"},
    {"SendTimeout", "5min", "and so do replies"},
    {"RoundTripTimeout", "10min", "both ways, and the work between"},
};

}  // namespace

const Personality imaging_personality = {
    .name = "imaging",
    .meaning =
        "Few connections that carry long messages, as of medical images. Not for untrusted clients: "
        "each may have a message of MaxMessageSize in memory.",
    .presets = imaging_presets,
};

}  // namespace takt::orb
