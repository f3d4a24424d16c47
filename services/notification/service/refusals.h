// The exceptions for what a notification service refuses.
#pragma once

#include "notification/channel/registry.h"

namespace takt::notification {

// OBJECT_NOT_EXIST. `of`: "channel", "proxy" and so on.
[[noreturn]] void throw_gone(const char* of);
// `of` is the object that is gone, if one is.
[[noreturn]] void throw_refusal(Refusal refusal, const char* of);
[[noreturn]] void throw_refusal(QosRefusal refusal, const char* of);  // or UnsupportedQos
// IMP_LIMIT with the limit that is reached.
[[noreturn]] void throw_limit(const char* of);
[[noreturn]] void throw_unsupported(PropertyErrors errors);
[[noreturn]] void throw_unsupported_admin(PropertyErrors errors);

}  // namespace takt::notification
