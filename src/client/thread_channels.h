// What a calling thread remembers: its channels, and which of them each reference last used.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <takt/reference/quality.h>

#include "client/bindings.h"
#include "client/channel/client_channel.h"
#include "client/channel/failure.h"
#include "client/client.h"
#include "client/ways.h"
#include "reference/context/thread_context.h"
#include "reference/object_ref.h"
#include "reference/policies/call_policies.h"
#include "reference/target.h"

namespace takt::client {

// One per thread, for all ORBs; its channels close when the thread ends. Finding the channel of a
// reference takes no lock and no allocation where this thread has called one that leads to the same place.
class ThreadChannels final : private reference::ThreadContext::Follower {
 public:
  static ThreadChannels& mine() { return mine_ ? *mine_ : begin(); }

  // The channel for a call on `ref`, taken and with its route; connects where need be, trying the
  // reference's routes and their addresses in order. Throws TRANSIENT, COMM_FAILURE, TIMEOUT, ...
  Binding& bind(reference::ObjectRef& ref) {
    Binding& binding = bindings_->of(ref);
    if (binding.serial == ref.serial() && binding.generation == ref.generation() &&
        !binding.channel->busy() && !binding.channel->broken()) [[likely]]
      return binding;
    return rebind(ref, binding);
  }
  // What the reference's binding in this thread stands on; null without one.
  std::shared_ptr<const reference::Target> target_of(const reference::ObjectRef& ref) const {
    const Binding& binding = bindings_->of(ref);
    return binding.serial == ref.serial() || binding.serial == ~ref.serial() ? binding.target : nullptr;
  }
  // Each priority, and calls with a quality, remember channels of their own, so that going to and fro costs
  // nothing. Clients choose the priorities of threads that serve them, so only so many are remembered.
  static constexpr std::size_t most_kinds = 64;
  // As bind(), for a reference whose rebind policy does not allow to open a connection again: the next one
  // may.
  Binding& bind_explicitly(reference::ObjectRef& ref);
  // Opens what is missing of the connections that the thread's calls on it will use, whatever its priority by
  // then: one for each of the server's lanes or bands. Throws as bind() does.
  void connect_fully(reference::ObjectRef& ref);
  // How many priorities, each with a quality or without, are remembered.
  std::size_t kinds() const { return special_bindings_.size(); }
  // What the policies of reference, thread and ORB come to.
  reference::CallPolicies policies_of(const reference::ObjectRef& ref) const;
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
  ThreadChannels();
  ~ThreadChannels() { context_.set_follower(nullptr); }
  friend std::default_delete<ThreadChannels>;
  static ThreadChannels& begin();
  void priority_or_quality_changed() override;
  void overrides_changed() override { forget(); }

  struct Owned {
    reference::ConnectionKey key;
    std::unique_ptr<ClientChannel> channel;
    std::weak_ptr<const reference::ObjectRef> reference;  // the only one that may use it, if the key has one
  };
  // How a thread connects to a reference: with which policies, until when, and what has come of it.
  struct Attempt {
    reference::ObjectRef& ref;
    const reference::CallPolicies policies;
    const std::chrono::steady_clock::time_point deadline;
    Unreached unreached = {};
    reference::ConnectionKey key_for(const reference::Route::Address& address) const {
      return {address.connection_id, policies.private_connection ? ref.serial() : 0};
    }
  };
  Attempt attempt(reference::ObjectRef& ref, std::chrono::steady_clock::time_point now) const;
  Binding& rebind(reference::ObjectRef& ref, Binding& binding);
  Binding& bind_probed(reference::ObjectRef& ref, Binding& binding);
  Binding& bind_marked(reference::ObjectRef& ref, Binding& binding);
  // Other references that lead there are bound so, too.
  void remember(const reference::References& references, const Way& way, const Binding& binding);
  std::int32_t marked_by(const reference::References& references, const reference::ServerRoute& server) const;
  Binding& connect(reference::ObjectRef& ref, Binding& binding);
  // Null: the way is not for this thread's priority, or leads nowhere, which the attempt notes.
  ClientChannel* reach(const Way& way, Attempt& attempt);
  static bool is_common(const Attempt& attempt, const reference::Route& route);
  // An idle channel, or a new one; null: the address could not be reached.
  ClientChannel* channel_to(const reference::Route& route, const reference::Route::Address& address,
                            Attempt& attempt);
  bool has_channel(const reference::ConnectionKey& key) const;
  void refuse_to_reconnect(const Attempt& attempt, const reference::ConnectionKey& key);
  void allow_to_reconnect(const reference::ObjectRef& ref);
  void close_unused();
  OtherWay::Way way_to(const reference::Route& route, const reference::Route::Address& address,
                       Attempt& attempt);

  void connect_marked(const reference::Route& route, const std::vector<Way>& ways, Attempt& connecting);
  // A connection by that way, for calls of that priority, is there or can be made.
  bool reaches(const Way& way, std::optional<giop::Priority> priority, Attempt& connecting);

  // Bindings hold for calls of one priority, and with a quality or without; where an ORB marks connections by
  // the calls' quality, also for those that it marks alike.
  using Key = std::uint32_t;
  static constexpr Key usual = 0;
  Key key() const {
    const auto priority = context_.priority();
    const Quality* const quality = context_.quality();
    const Key of_priority = priority ? static_cast<Key>(*priority) + 1 : 0;
    const Key of_quality = marks_quality_ ? quality_row() : 0;
    return of_priority << 5 | of_quality << 1 | static_cast<Key>(quality != nullptr);
  }
  std::uint8_t quality_row() const;
  void use_bindings();
  void forget(const ClientChannel* channel = nullptr);

  bool repeated_ = false;                  // see note_repeated()
  std::chrono::nanoseconds lost_time_{0};  // see note_repeated()
  reference::ThreadContext& context_ = reference::ThreadContext::mine();
  Bindings usual_bindings_;  // while the thread has neither priority nor quality
  Bindings* bindings_ = &usual_bindings_;
  Key bound_by_ = usual;        // the key of `bindings_`
  bool marks_quality_ = false;  // some ORB that the thread has called does
  std::vector<std::pair<Key, std::unique_ptr<Bindings>>> special_bindings_;
  std::size_t next_forgotten_ = 0;  // of them
  std::vector<std::weak_ptr<const reference::ObjectRef>>
      not_to_reconnect_;  // which have had their connection
  std::vector<Owned> channels_;
  static inline thread_local constinit ThreadChannels* mine_ = nullptr;  // once begun
};

}  // namespace takt::client
