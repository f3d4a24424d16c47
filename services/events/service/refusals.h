// The exceptions for what an event service refuses.
#pragma once

#include "events/channel/registry.h"

namespace takt::events {

// OBJECT_NOT_EXIST. `of`: "channel" or "proxy".
[[noreturn]] void throw_gone(const char* of);
[[noreturn]] void throw_refusal(Refusal refusal);

}  // namespace takt::events
