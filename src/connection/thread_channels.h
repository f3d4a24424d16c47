// What a calling thread remembers: its channels, and which of them each reference last used.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "connection/client_channel.h"
#include "connection/object_ref.h"
#include "connection/target.h"

namespace takt::connection {

// A reference's channel in this thread. `route` stays valid while the binding stands.
struct Binding {
  std::uint64_t serial = 0;
  std::uint32_t generation = 0;
  ClientChannel* channel = nullptr;
  const Route* route = nullptr;
  std::shared_ptr<const Target> target;  // keeps route alive
};

// One per thread, for all ORBs; its channels close when the thread ends. Finding the channel of a
// reference that this thread has called before takes no lock and no allocation.
class ThreadChannels {
 public:
  static ThreadChannels& mine();

  // The channel for a call on `ref`, taken and with its route; connects where need be, trying the
  // reference's routes and their addresses in order. Throws TRANSIENT, COMM_FAILURE, TIMEOUT, ...
  Binding& bind(ObjectRef& ref) {
    Binding& binding = bindings_[ref.serial() % bindings_.size()];
    if (binding.serial == ref.serial() && binding.generation == ref.generation() &&
        !binding.channel->busy() && !binding.channel->broken()) [[likely]]
      return binding;
    return rebind(ref, binding);
  }
  // What the reference's binding in this thread stands on; null without one.
  std::shared_ptr<const Target> target_of(const ObjectRef& ref) const {
    const Binding& binding = bindings_[ref.serial() % bindings_.size()];
    return binding.serial == ref.serial() ? binding.target : nullptr;
  }
  // Closes a channel that failed, and forgets what stood on it.
  void discard(ClientChannel& channel);

 private:
  struct Owned {
    std::uint64_t connection_id;
    std::unique_ptr<ClientChannel> channel;
  };
  Binding& rebind(ObjectRef& ref, Binding& binding);
  ClientChannel* idle_channel(std::uint64_t connection_id);

  std::array<Binding, 64> bindings_;
  std::vector<Owned> channels_;
};

}  // namespace takt::connection
