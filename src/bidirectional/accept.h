// Which offers of bidirectional connections a server accepts.
#pragma once

#include <cstdint>

namespace takt::bidirectional {

// A client may name any listen points as its own, and would get the calls that are meant for whoever is
// there.
enum class Accept : std::uint8_t { off, same_address, any };

}  // namespace takt::bidirectional
