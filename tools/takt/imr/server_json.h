// A server of a repository as JSON.
#pragma once

#include "Takt_ActivationC.h"
#include "common/output.h"

namespace takt::command {

const char* word_for(Takt::Activation::ServerPhase phase);
Json json_of_server(const Takt::Activation::Server& server);

}  // namespace takt::command
