#include <takt/transport/stream_options.h>

#include <algorithm>
#include <utility>

namespace takt::transport {

StreamOptions marked(StreamOptions options, const Marking& marking, MarkedBy by) {
  if (!marking.any()) return options;
  if (marking.dscp >= 0) options.dscp = marking.dscp;
  if (marking.priority >= 0)
    options.priority = marking.priority;
  else if (options.priority < 0)
    options.priority = socket_priority_for(marking.dscp);
  options.marked_by = by;
  return options;
}

StreamOptions StreamOverrides::over(StreamOptions options) const {
  const auto put = [](const auto& from, auto& to) {
    if (from) to = *from;
  };
  put(no_delay, options.no_delay);
  put(keep_alive, options.keep_alive);
  put(dont_route, options.dont_route);
  put(send_buffer_bytes, options.send_buffer_bytes);
  put(receive_buffer_bytes, options.receive_buffer_bytes);
  put(dscp, options.dscp);
  put(priority, options.priority);
  put(busy_poll, options.busy_poll);
  put(preallocate, options.preallocate);
  put(settings, options.settings);
  if (dscp || priority) options.marked_by = MarkedBy::policy;
  return options;
}

StreamOptions StreamOverrides::over(StreamOptions options, std::optional<std::int16_t> of) const {
  return marked(over(std::move(options)), of ? by_priority.at(*of) : Marking(), MarkedBy::policy);
}

int StreamOverrides::highest_priority() const {
  return std::max(priority.value_or(-1), by_priority.highest_priority());
}

bool StreamOverrides::says_dscp(std::optional<std::int16_t> of) const {
  return dscp || (of && by_priority.at(*of).dscp >= 0);
}

[[gnu::cold]] std::string StreamOverrides::text() const {
  std::string text;
  for (const auto& flag : {no_delay, keep_alive, dont_route, preallocate})
    text += flag ? (*flag ? "y" : "n") : "-";
  for (const auto& number : {send_buffer_bytes, receive_buffer_bytes, dscp, priority})
    text += number ? std::to_string(*number) + "," : std::string(",");
  if (busy_poll) text += std::to_string(busy_poll->count());
  text += by_priority.text();
  if (settings) text += "," + *settings;
  return text;
}

}  // namespace takt::transport
