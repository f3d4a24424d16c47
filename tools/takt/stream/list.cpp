// takt stream list: the flows of a device.
#include <iostream>
#include <memory>

#include <takt/corba.h>

#include "common/orb.h"
#include "ior/target.h"
#include "stream/commands.h"
#include "stream/flow_json.h"
#include "stream/state_source.h"

namespace takt::command {

void add_device_options(const Command& command, DeviceSettings& settings) {
  command.add("--service", settings.service, "reference of the device's state, as for takt ior, or @FILE")
      .show_default();
  command.add("--deadline", settings.deadline, "time for connecting, and for each reply", call_deadlines)
      .show_default();
  command.add_flag("--json", settings.as_json, "as JSON");
  take_orb_options(command, settings.orb_options, "-ORBTLSAuthorities authority.pem");
}

CORBA::object_reference<Takt::Streams::Service> state_of(const ClientOrb& orb,
                                                         const DeviceSettings& settings) {
  return IDL::traits<Takt::Streams::Service>::unchecked_narrow(
      object_at(orb, reference_text(settings.service)));
}

void add_stream_list(const Command& stream) {
  const auto settings = std::make_shared<DeviceSettings>();
  const Command list =
      stream.add_command("list", "Shows the flows of a device: frames, losses, late frames, jitter.");
  add_device_options(list, *settings);
  list.on_chosen([settings] {
    try {
      const ClientOrb orb(settings->deadline, settings->orb_options);
      const Json shown = json_of_device(state_of(orb, *settings)->look());
      std::cout << (settings->as_json ? text_of(shown) : page_of(shown));
    } catch (const CORBA::SystemException& failure) {
      fail(text_with_advice(failure), negative);
    }
  });
}

}  // namespace takt::command
