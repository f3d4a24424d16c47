#include <takt/transport/stream_options.h>

namespace takt::transport {

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
  return options;
}

std::string StreamOverrides::text() const {
  std::string text;
  for (const auto& flag : {no_delay, keep_alive, dont_route, preallocate})
    text += flag ? (*flag ? "y" : "n") : "-";
  for (const auto& number : {send_buffer_bytes, receive_buffer_bytes, dscp, priority})
    text += number ? std::to_string(*number) + "," : std::string(",");
  if (busy_poll) text += std::to_string(busy_poll->count());
  if (settings) text += "," + *settings;
  return text;
}

}  // namespace takt::transport
