// Messages without a variable part.
#pragma once

#include <array>
#include <cstdint>

#include "giop/header/message_header.h"

namespace takt::giop {

// The sender is about to close. Requests without a reply were not begun and may be retried elsewhere.
std::array<std::uint8_t, header_size> close_connection(Version version);
// The peer's last message was not GIOP, or of a higher version than this message has.
std::array<std::uint8_t, header_size> message_error(std::uint8_t giop_minor = highest_minor);
// The caller no longer waits. The reply may still arrive.
std::array<std::uint8_t, header_size + 4> cancel_request(Version version, std::uint32_t request_id);
// For the request that begins at `request`. Has its version, if that is a GIOP version.
std::array<std::uint8_t, header_size + 4> cancel_request(const std::uint8_t* request,
                                                         std::uint32_t request_id);

}  // namespace takt::giop
