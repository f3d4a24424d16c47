// Where commands get the state of a device.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "Takt_StreamsC.h"
#include "common/command.h"
#include "ior/calls.h"

namespace takt::command {

struct DeviceSettings {
  std::string service = "corbaloc::localhost:2814/TaktStreams";
  std::vector<std::string> orb_options;
  std::chrono::nanoseconds deadline = std::chrono::seconds(5);
  bool as_json = false;
};

// Adds --service, --deadline and --json, and takes options of the ORB.
void add_device_options(const Command& command, DeviceSettings& settings);
// Makes no call. Throws a Failure for a text that is no reference.
CORBA::object_reference<Takt::Streams::Service> state_of(const ClientOrb& orb,
                                                         const DeviceSettings& settings);

}  // namespace takt::command
