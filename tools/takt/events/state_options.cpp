#include "events/state_options.h"

#include <iostream>
#include <utility>

#include "ior/target.h"

namespace takt::command {
namespace {

void print_state(const StateSettings& settings, const AskState& ask) {
  if (settings.clients > 10'000) fail("--clients is a number up to 10000");
  try {
    const ClientOrb orb(settings.deadline, settings.orb_options);
    const Json json =
        ask(object_at(orb, reference_text(settings.service)), static_cast<std::uint32_t>(settings.clients));
    std::cout << (settings.as_json ? text_of(json) : page_of(json));
  } catch (const CORBA::SystemException& failure) {
    fail(text_with_advice(failure), negative);
  }
}

}  // namespace

void show_state(const Command& list, std::shared_ptr<StateSettings> settings, const std::string& service,
                AskState ask) {
  list.add("--service", settings->service, service).show_default();
  list.add("--clients", settings->clients,
           "most clients of each channel; those with the most pending events are first")
      .show_default();
  list.add("--deadline", settings->deadline, "time for connecting, and for the reply", call_deadlines)
      .show_default();
  list.add_flag("--json", settings->as_json, "as JSON");
  take_orb_options(list, settings->orb_options, "-ORBTLSAuthorities authority.pem");
  list.on_chosen([settings, ask = std::move(ask)] { print_state(*settings, ask); });
}

}  // namespace takt::command
