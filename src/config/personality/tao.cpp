#include "config/personality/personality.h"

namespace takt::orb {

namespace {

constexpr Preset tao_presets[] = {
    {"ValueForm", "tao", "TAO reads only its own form of valuetypes in chunks"},
    {"LongDouble", "x87", "TAO on x86 sends long doubles as the processor has them"},
    {"AssumedCharCodeSet", "UTF-8", "without negotiation TAO sends the octets of its program as they are"},
    {"AssumedWcharCodeSet", "UTF-16-of-message", "without negotiation TAO sends UTF-16 in its byte order"},
};

}  // namespace

const Personality tao_personality = {
    .name = "tao",
    .meaning =
        "For programs all of whose peers are TAO on x86. Others do not understand their valuetypes in "
        "chunks and long doubles.",
    .presets = tao_presets,
};

}  // namespace takt::orb
