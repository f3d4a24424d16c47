// Which offers of bidirectional connections a server accepts.
#pragma once

#include <cstdint>

namespace takt::bidirectional {

// A client may claim any listen points as its own, and would then receive calls meant for the server that
// really listens there.
enum class Accept : std::uint8_t { off, same_address, any };

}  // namespace takt::bidirectional
