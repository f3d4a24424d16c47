#include "events/service_options.h"

#include <algorithm>

#include <takt/invocation/call_series.h>

#include "common/serving.h"

namespace takt::command {
namespace {

constexpr command_line::Times patience{std::chrono::milliseconds(10), std::chrono::hours(24)};

}  // namespace

std::uint32_t service_number(std::uint64_t number, const char* option) {
  return number_up_to(1'000'000'000, number, option);
}

ServiceOptions::ServiceOptions(const events::Limits& limits)
    : max_channels(limits.channels),
      proxies(limits.proxies),
      queued_bytes(limits.queued_bytes),
      waiting_pulls(limits.waiting_pulls),
      reference_bytes(limits.reference_bytes),
      exceptions(limits.exceptions_in_a_row),
      threads(limits.threads),
      max_threads(limits.max_threads),
      hanging_threads(limits.hanging_threads),
      calls_together(limits.calls_together),
      slow_after(limits.slow_after),
      call_timeout(limits.call_timeout),
      give_up_after(limits.give_up_after),
      ping_after(limits.ping_after),
      connect_within(limits.connect_within),
      pull_patience(limits.pull_patience) {}

void ServiceOptions::apply_to(events::Limits& limits) const {
  using namespace std::chrono;
  limits.channels = service_number(max_channels, "--max-channels");
  limits.proxies = service_number(proxies, "--max-proxies");
  limits.queued_bytes = queued_bytes;
  limits.waiting_pulls = service_number(waiting_pulls, "--max-waiting-pulls");
  limits.reference_bytes = reference_bytes;
  limits.exceptions_in_a_row = service_number(exceptions, "--max-exceptions");
  limits.reconnects = reconnects;
  limits.max_threads = service_number(max_threads, "--max-threads");
  limits.threads = std::min(service_number(threads, "--threads"), limits.max_threads);
  limits.hanging_threads =
      hanging_threads == 0 ? 0 : service_number(hanging_threads, "--max-hanging-threads");
  limits.calls_together =
      number_up_to(invocation::CallSeries::most_calls, calls_together, "--calls-together");
  limits.slow_after = duration_cast<milliseconds>(slow_after);
  limits.call_timeout = duration_cast<milliseconds>(call_timeout);
  limits.give_up_after = duration_cast<milliseconds>(give_up_after);
  limits.ping_after = duration_cast<milliseconds>(ping_after);
  limits.connect_within = duration_cast<milliseconds>(connect_within);
  limits.pull_patience = duration_cast<milliseconds>(pull_patience);
}

void add_service_bounds(const Command& serve, ServiceOptions& options) {
  serve.add("--max-channels", options.max_channels, "most channels; more raise IMP_LIMIT").show_default();
  serve.add("--max-proxies", options.proxies, "most proxies of all channels together; more raise IMP_LIMIT")
      .show_default();
  serve
      .add_size("--max-queued-octets", options.queued_bytes,
                "about the most memory of all waiting events; the fullest queues give up events then")
      .show_default();
  serve
      .add_size("--max-reference-octets", options.reference_bytes,
                "most octets of a client's reference; more raise IMP_LIMIT")
      .show_default();
  serve
      .add("--max-waiting-pulls", options.waiting_pulls,
           "most calls of pull() that wait; more raise TRANSIENT")
      .show_default();
  serve
      .add("--pull-patience", options.pull_patience,
           "time that pull() waits for an event; after that, TRANSIENT", patience)
      .show_default();
}

void add_delivery(const Command& serve, ServiceOptions& options) {
  serve.add_flag(
      "--allow-reconnect", options.reconnects,
      "a client that connects to a connected proxy takes the place of the earlier client, instead of "
      "AlreadyConnected");
  serve.add("--threads", options.threads, "threads that deliver, besides those that wait for slow clients")
      .show_default();
  serve.add("--max-threads", options.max_threads, "most threads, including those that wait for slow clients")
      .show_default();
  serve
      .add("--max-hanging-threads", options.hanging_threads,
           "most threads beyond those, in calls to clients that answered before and now hang")
      .show_default();
  serve
      .add("--calls-together", options.calls_together,
           "most calls that a prompt consumer of Takt gets together; 1: each call waits for the one before")
      .show_default();
  serve
      .add("--slow-after", options.slow_after,
           "time of a call after which another thread takes over the rest",
           {std::chrono::milliseconds(1), std::chrono::seconds(10)})
      .show_default();
  serve
      .add("--call-timeout", options.call_timeout, "time for connecting to a client and for each reply",
           call_times)
      .show_default();
  serve
      .add("--give-up-after", options.give_up_after,
           "time for which a client may be out of reach; after that it is disconnected", patience)
      .show_default();
  serve
      .add("--max-exceptions", options.exceptions,
           "system exceptions that a client may raise in a row; after that it is disconnected")
      .show_default();
  serve
      .add("--ping-after", options.ping_after, "silence after which a client is asked whether it exists",
           patience)
      .show_default();
  serve
      .add("--connect-within", options.connect_within,
           "time after which a proxy that nothing has connected to is removed", patience)
      .show_default();
}

}  // namespace takt::command
