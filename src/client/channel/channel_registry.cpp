#include "client/channel/channel_registry.h"

#include <string>

#include "os/error_text.h"

namespace takt::client {

namespace {

std::string reason_of(const Exchange& ending) {
  std::string reason = ending.status == Exchange::Status::timeout ? "no answer in time" : ending.reason;
  if (ending.error != 0) reason += (reason.empty() ? "" : ": ") + os::error_text(ending.error);
  return reason.empty() ? "it is no longer used" : reason;
}

}  // namespace

// Without memory for the text, the line is left out.
void ChannelRegistry::note(LogEvent event, const transport::Stream& stream,
                           const Exchange& ending) const noexcept {
  if (!takes(log.get(), event)) return;
  try {
    const std::string reason = event == LogEvent::connection_closed ? reason_of(ending) : std::string();
    log->write({.event = event, .peer = stream.describe(), .reason = reason});
  } catch (const std::exception&) {
  }
}

bool ChannelRegistry::add(transport::Stream& stream) {
  {
    std::lock_guard lock(mutex_);
    if (down_) return false;
    open_.insert(&stream);
  }
  note(LogEvent::connection_opened, stream, {});
  return true;
}

void ChannelRegistry::remove(transport::Stream& stream, const Exchange& ending) {
  {
    std::lock_guard lock(mutex_);
    open_.erase(&stream);
  }
  note(LogEvent::connection_closed, stream, ending);
}

void ChannelRegistry::shut_down() {
  std::lock_guard lock(mutex_);
  down_ = true;
  for (transport::Stream* stream : open_) stream->shut_down();
}

}  // namespace takt::client
