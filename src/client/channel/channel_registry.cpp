#include "client/channel/channel_registry.h"

namespace takt::client {

bool ChannelRegistry::add(transport::Stream& stream) {
  std::lock_guard lock(mutex_);
  if (down_) return false;
  open_.insert(&stream);
  return true;
}

void ChannelRegistry::remove(transport::Stream& stream) {
  std::lock_guard lock(mutex_);
  open_.erase(&stream);
}

void ChannelRegistry::shut_down() {
  std::lock_guard lock(mutex_);
  down_ = true;
  for (transport::Stream* stream : open_) stream->shut_down();
}

}  // namespace takt::client
