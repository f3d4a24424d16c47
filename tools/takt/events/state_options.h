// The state of a service with channels, as a command shows it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <takt/corba.h>

#include "common/command.h"
#include "common/output.h"

namespace takt::command {

struct StateSettings {
  std::string service;
  std::vector<std::string> orb_options{};
  std::uint64_t clients = 20;
  std::chrono::nanoseconds deadline = std::chrono::seconds(5);
  bool as_json = false;
};

// Asks the object for its state, with at most that many clients of each channel.
using AskState =
    std::function<Json(const CORBA::object_reference<CORBA::Object>& service, std::uint32_t clients)>;

// Adds the options to a command that asks the service and prints its answer. `service` describes the option
// of that name, whose default is in the settings.
void show_state(const Command& list, std::shared_ptr<StateSettings> settings, const std::string& service,
                AskState ask);

}  // namespace takt::command
