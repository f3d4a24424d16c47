// The servers of a repository, and each as JSON.
#pragma once

#include "Takt_ActivationC.h"
#include "common/output.h"

namespace takt::command {

const char* word_for(Takt::Activation::ServerPhase phase);
// All servers, which are asked for in parts.
Takt::Activation::ServerList servers_of(Takt::Activation::Repository& repository);
Json json_of_server(const Takt::Activation::Server& server);

}  // namespace takt::command
