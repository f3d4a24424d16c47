// What a calling thread remembers: its channels, and which of them each reference last used.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <takt/connection/quality.h>

#include "connection/bidirectional/bidirectional.h"
#include "connection/client/bindings.h"
#include "connection/client/client_channel.h"
#include "connection/client/failure.h"
#include "connection/policies/call_policies.h"
#include "connection/policies/overrides.h"
#include "connection/references/object_ref.h"
#include "connection/references/target.h"

namespace takt::connection {

// One per thread, for all ORBs; its channels close when the thread ends. Finding the channel of a
// reference takes no lock and no allocation where this thread has called one that leads to the same place.
class ThreadChannels {
 public:
  static ThreadChannels& mine() { return mine_ ? *mine_ : begin(); }

  // The channel for a call on `ref`, taken and with its route; connects where need be, trying the
  // reference's routes and their addresses in order. Throws TRANSIENT, COMM_FAILURE, TIMEOUT, ...
  Binding& bind(ObjectRef& ref) {
    Binding& binding = bindings_->of(ref);
    if (binding.serial == ref.serial() && binding.generation == ref.generation() &&
        !binding.channel->busy() && !binding.channel->broken()) [[likely]]
      return binding;
    return rebind(ref, binding);
  }
  // What the reference's binding in this thread stands on; null without one.
  std::shared_ptr<const Target> target_of(const ObjectRef& ref) const {
    const Binding& binding = bindings_->of(ref);
    return binding.serial == ref.serial() || binding.serial == ~ref.serial() ? binding.target : nullptr;
  }
  // Clients choose the priorities of threads that serve them, so only so many are remembered.
  static constexpr std::size_t most_kinds = 64;
  // The RT-CORBA priority of the thread's requests; nothing: the server's to choose. Each priority remembers
  // channels of its own, so that going to and fro costs nothing; allocates the first time that it is used.
  std::optional<giop::Priority> priority() const { return priority_; }
  void use_priority(std::optional<giop::Priority> priority);
  // What the thread's calls carry; null: nothing. `quality` outlives its use. Remembers channels apart, too.
  const Quality* quality() const { return quality_; }
  void use_quality(const Quality* quality);
  // The policies of the thread's calls; null: none. What is remembered of references is found out anew.
  const std::shared_ptr<const Overrides>& overrides() const { return overrides_; }
  void use_overrides(std::shared_ptr<const Overrides> overrides);
  // As bind(), for a reference whose rebind policy does not allow to open a connection again: the next one
  // may.
  Binding& bind_explicitly(ObjectRef& ref);
  // Opens what is missing of the connections that the thread's calls on it will use, whatever its priority by
  // then: one for each of the server's lanes or bands. Throws as bind() does.
  void connect_fully(ObjectRef& ref);
  // How many priorities, each with a quality or without, are remembered.
  std::size_t kinds() const { return special_bindings_.size(); }
  // What the policies of reference, thread and ORB come to.
  CallPolicies policies_of(const ObjectRef& ref) const;
  // The next bind() is for a call that begins again, at another place or over another connection: the time
  // that it has lost at places that could not be reached counts against its connect timeout, so that a server
  // that forwards to such a place again and again costs one timeout. `first`: it begins again for the first
  // time.
  void note_repeated(bool first) {
    repeated_ = true;
    if (first) lost_time_ = {};
  }
  // Closes a channel that failed, and forgets what stood on it.
  void discard(ClientChannel& channel);

 private:
  static ThreadChannels& begin();

  struct Owned {
    ConnectionKey key;
    std::unique_ptr<ClientChannel> channel;
    std::weak_ptr<const ObjectRef> reference;  // the only one that may use it, if the key has one
  };
  // How a thread connects to a reference: with which policies, until when, and what has come of it.
  struct Attempt {
    ObjectRef& ref;
    const CallPolicies policies;
    const std::chrono::steady_clock::time_point deadline;
    Unreached unreached = {};
    ConnectionKey key_for(const Route::Address& address) const {
      return {address.connection_id, policies.private_connection ? ref.serial() : 0};
    }
  };
  Attempt attempt(ObjectRef& ref, std::chrono::steady_clock::time_point now) const;
  Binding& rebind(ObjectRef& ref, Binding& binding);
  Binding& bind_probed(ObjectRef& ref, Binding& binding);
  Binding& bind_marked(ObjectRef& ref, Binding& binding);
  // Other references that lead there are bound so, too.
  void remember(const OrbCore& core, const Way& way, const Binding& binding);
  std::int32_t marked_by(const OrbCore& core, const ServerRoute& server) const;
  Binding& connect(ObjectRef& ref, Binding& binding);
  // Null: the way is not for this thread's priority, or leads nowhere, which the attempt notes.
  ClientChannel* reach(const Way& way, Attempt& attempt);
  static bool is_common(const Attempt& attempt, const Route& route);
  // An idle channel, or a new one; null: the address could not be reached.
  ClientChannel* channel_to(const Route& route, const Route::Address& address, Attempt& attempt);
  bool has_channel(const ConnectionKey& key) const;
  void refuse_to_reconnect(const Attempt& attempt, const ConnectionKey& key);
  void allow_to_reconnect(const ObjectRef& ref);
  void close_unused();
  Bidirectional::Way way_to(const Route& route, const Route::Address& address, Attempt& attempt);

  void connect_marked(const Route& route, const std::vector<Way>& ways, Attempt& connecting);
  // A connection by that way, for calls of that priority, is there or can be made.
  bool reaches(const Way& way, std::optional<giop::Priority> priority, Attempt& connecting);

  // Bindings hold for calls of one priority, and with a quality or without; where an ORB marks connections by
  // the calls' quality, also for those that it marks alike.
  using Key = std::uint32_t;
  static constexpr Key usual = 0;
  Key key() const {
    const Key of_priority = priority_ ? static_cast<Key>(*priority_) + 1 : 0;
    const Key of_quality = marks_quality_ ? quality_row() : 0;
    return of_priority << 5 | of_quality << 1 | static_cast<Key>(quality_ != nullptr);
  }
  std::uint8_t quality_row() const;
  void use_bindings();
  void forget(const ClientChannel* channel = nullptr);

  bool repeated_ = false;                  // see note_repeated()
  std::chrono::nanoseconds lost_time_{0};  // see note_repeated()
  Bindings usual_bindings_;                // while the thread has neither
  Bindings* bindings_ = &usual_bindings_;
  std::optional<giop::Priority> priority_;
  const Quality* quality_ = nullptr;
  bool marks_quality_ = false;  // some ORB that the thread has called does
  std::shared_ptr<const Overrides> overrides_;
  std::vector<std::pair<Key, std::unique_ptr<Bindings>>> special_bindings_;
  std::size_t next_forgotten_ = 0;                                // of them
  std::vector<std::weak_ptr<const ObjectRef>> not_to_reconnect_;  // which have had their connection
  std::vector<Owned> channels_;
  static inline thread_local constinit ThreadChannels* mine_ = nullptr;  // once begun
};

}  // namespace takt::connection
