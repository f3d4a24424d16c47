// The messages that are complete by themselves.
#pragma once

#include <array>
#include <cstdint>

#include "giop/header/message_header.h"

namespace takt::giop {

// The sender is going to close: requests without a reply were not begun, and can be made again elsewhere.
std::array<std::uint8_t, header_size> close_connection(Version version);
// The peer's last message was not GIOP, or of a version above the one that this carries.
std::array<std::uint8_t, header_size> message_error(std::uint8_t giop_minor = highest_minor);
// The caller no longer waits. The reply may come all the same.
std::array<std::uint8_t, header_size + 4> cancel_request(Version version, std::uint32_t request_id);
// For the request that begins there: of its version, where that is GIOP's.
std::array<std::uint8_t, header_size + 4> cancel_request(const std::uint8_t* request,
                                                         std::uint32_t request_id);

}  // namespace takt::giop
