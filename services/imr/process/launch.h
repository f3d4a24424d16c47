// Starts the process of a server.
#pragma once

#include <sys/types.h>

#include <expected>
#include <string>

#include "imr/model/definition.h"

namespace takt::imr {

// The process has a group of its own, and no signal is blocked, ignored or handled. Its input is /dev/null,
// its output is appended to the definition's file or lost, and it has no other file of this process. It has
// the environment of this process, but not what was for this process alone, with that of the definition.
// `ticket` becomes its TAKT_IMR_TICKET. Fails with the reason, which begins with a verb. Any thread.
std::expected<pid_t, std::string> launch(const Definition& definition, const std::string& ticket);

}  // namespace takt::imr
