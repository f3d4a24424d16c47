// What a calling thread remembers: its channels, and which of them each reference last used.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "connection/client_channel.h"
#include "connection/object_ref.h"
#include "connection/target.h"

namespace takt::connection {

// A reference's channel in this thread. `route` stays valid while the binding stands.
struct Binding {
  std::uint64_t serial = 0;  // its complement where the ORB is probed: then none is ever found at once
  std::uint32_t generation = 0;
  ClientChannel* channel = nullptr;
  const Route* route = nullptr;
  std::shared_ptr<const Target> target;  // keeps route alive
};

// One per thread, for all ORBs; its channels close when the thread ends. Finding the channel of a
// reference that this thread has called before takes no lock and no allocation.
class ThreadChannels {
 public:
  static ThreadChannels& mine() { return mine_ ? *mine_ : begin(); }

  // The channel for a call on `ref`, taken and with its route; connects where need be, trying the
  // reference's routes and their addresses in order. Throws TRANSIENT, COMM_FAILURE, TIMEOUT, ...
  Binding& bind(ObjectRef& ref) {
    Binding& binding = (*bindings_)[ref.serial() % bindings_->size()];
    if (binding.serial == ref.serial() && binding.generation == ref.generation() &&
        !binding.channel->busy() && !binding.channel->broken()) [[likely]]
      return binding;
    return rebind(ref, binding);
  }
  // What the reference's binding in this thread stands on; null without one.
  std::shared_ptr<const Target> target_of(const ObjectRef& ref) const {
    const Binding& binding = (*bindings_)[ref.serial() % bindings_->size()];
    return binding.serial == ref.serial() || binding.serial == ~ref.serial() ? binding.target : nullptr;
  }
  // The RT-CORBA priority of the thread's requests; nothing: the server's to choose. Each priority remembers
  // channels of its own, so that going to and fro costs nothing; allocates the first time that it is used.
  std::optional<giop::Priority> priority() const { return priority_; }
  void use_priority(std::optional<giop::Priority> priority);
  // Closes a channel that failed, and forgets what stood on it.
  void discard(ClientChannel& channel);

 private:
  static ThreadChannels& begin();

  struct Owned {
    std::uint64_t connection_id;
    std::unique_ptr<ClientChannel> channel;
  };
  Binding& rebind(ObjectRef& ref, Binding& binding);
  Binding& bind_probed(ObjectRef& ref, Binding& binding);
  Binding& connect(ObjectRef& ref, Binding& binding);
  ClientChannel* idle_channel(std::uint64_t connection_id);

  // What holds for one priority of the thread.
  using Bindings = std::array<Binding, 64>;

  Bindings usual_bindings_;  // while the thread has no priority of its own
  Bindings* bindings_ = &usual_bindings_;
  std::optional<giop::Priority> priority_;
  std::vector<std::pair<giop::Priority, std::unique_ptr<Bindings>>> bindings_of_priorities_;
  std::vector<Owned> channels_;
  static inline thread_local constinit ThreadChannels* mine_ = nullptr;  // once begun
};

}  // namespace takt::connection
