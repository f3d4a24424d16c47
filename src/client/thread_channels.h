// Per-thread cache: the thread's channels, and which of them each reference last used.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <takt/reference/quality.h>

#include "client/binding_sets.h"
#include "client/candidates.h"
#include "client/channel/client_channel.h"
#include "client/channel/failure.h"
#include "client/client.h"
#include "client/reconnect_rules.h"
#include "reference/context/thread_context.h"
#include "reference/object_ref.h"
#include "reference/policies/call_policies.h"
#include "reference/target.h"
#include "threads/thread.h"

namespace takt::client {

// One per thread, for all ORBs. The thread's exit closes the channels; destructors that run later in it get
// new ones. Finding a channel takes no lock and no allocation if the thread has already called a reference to
// the same address.
class ThreadChannels final : private reference::ThreadContext::Follower {
 public:
  static ThreadChannels& mine() { return mine_ ? *mine_ : begin(); }

  // The binding for a call on `ref`, with its route and a channel that is not in use. Connects if necessary,
  // trying the routes and their addresses in order. Throws TRANSIENT, COMM_FAILURE, TIMEOUT, ...
  Binding& bind(reference::ObjectRef& ref) {
    Binding& binding = bindings_.current().of(ref);
    if (binding.serial == ref.serial() && binding.generation == ref.generation() &&
        !binding.channel->busy() && !binding.channel->broken()) [[likely]]
      return binding;
    return rebind(ref, binding);
  }
  // The target of the reference's binding in this thread; null without a binding.
  std::shared_ptr<const reference::Target> target_of(const reference::ObjectRef& ref) const {
    const Binding& binding = bindings_.current().of(ref);
    return binding.serial == ref.serial() || binding.serial == ~ref.serial() ? binding.target : nullptr;
  }
  // Like bind(), but allows a reference whose rebind policy forbids reconnecting to connect once more.
  Binding& bind_explicitly(reference::ObjectRef& ref);
  // Opens all connections that the thread's calls on `ref` may need at any priority: one per lane or band of
  // the server. Throws as bind() does.
  void connect_all_bands(reference::ObjectRef& ref);
  const BindingSets& bindings() const { return bindings_; }
  // The effective policies of reference, thread and ORB.
  reference::CallPolicies policies_of(const reference::ObjectRef& ref) const;
  // Call before the bind() of a reissued call, which ends by `by`. Time lost at unreachable addresses then
  // counts against its connect timeout, so a server that keeps forwarding to such an address costs one
  // timeout. `times`: how often the call has been reissued, now included.
  void note_reissued(std::uint32_t times, std::chrono::steady_clock::time_point by) {
    repeated_ = true;
    reissued_by_ = by;
    if (times != 1) return;
    lost_time_ = {};
    lost_target_.clear();
  }
  // Why the last target to which the reissued call was forwarded could not be reached; may be empty.
  const std::string& lost_target() const { return lost_target_; }
  // When the last bind() began to connect, for a call that policies limit; `now` if it had nothing to do.
  // Says so once.
  std::chrono::steady_clock::time_point take_begin(std::chrono::steady_clock::time_point now) {
    return std::min(std::exchange(connecting_since_, reference::CallPolicies::never), now);
  }
  // A call that holds a channel, but has not sent its request yet.
  class HeldBack {
   public:
    // Something else is about to use a channel, or the thread's context has changed: the call must leave, and
    // end hold_back_no_more() first.
    virtual void let_go() noexcept = 0;

   protected:
    ~HeldBack() = default;
  };
  // `call` is told once. The other calls of the thread pay nothing for that. At most one at a time.
  void hold_back(HeldBack& call) {
    held_back_ = &call;
    bindings_.withhold();
  }
  void hold_back_no_more() {
    held_back_ = nullptr;
    bindings_.release();
  }
  // Closes a failed channel and forgets its bindings.
  void discard(ClientChannel& channel);

  // During its lifetime, calls of the thread use connections of `strategy`, which must be the one of the
  // ORB's asynchronous calls; null: each ORB's usual one. They have bindings of their own. May be nested. No
  // call may be held back.
  class UsingStrategy {
   public:
    UsingStrategy(ThreadChannels& channels, ConnectionStrategy* strategy)
        : channels_(channels), before_(channels.strategy_) {
      change_to(strategy);
    }
    ~UsingStrategy() { change_to(before_); }
    UsingStrategy(const UsingStrategy&) = delete;
    UsingStrategy& operator=(const UsingStrategy&) = delete;

   private:
    void change_to(ConnectionStrategy* strategy) {
      if (channels_.strategy_ != strategy) channels_.use_strategy(strategy);
    }
    ThreadChannels& channels_;
    ConnectionStrategy* const before_;
  };

 private:
  ThreadChannels();
  ~ThreadChannels() { context_.set_follower(nullptr); }
  friend std::default_delete<ThreadChannels>;
  static ThreadChannels& begin();
  // The thread exits. In a process that was forked the connections are the parent's, which uses them: they
  // are neither ended nor waited for.
  static void end(void* channels) noexcept;
  void priority_or_quality_changed() override;
  void overrides_changed() override {
    let_go();
    bindings_.forget();
  }
  void let_go() {
    if (held_back_) [[unlikely]]
      held_back_->let_go();
  }

  struct Owned {
    reference::ConnectionKey key;
    std::unique_ptr<ClientChannel> channel;
    std::weak_ptr<const reference::ObjectRef> reference;  // the only one that may use it, if the key has one
  };
  // A thread's attempt to connect to a reference: policies, deadline, and failures.
  struct Attempt {
    reference::ObjectRef& ref;
    const reference::CallPolicies policies;
    const std::chrono::steady_clock::time_point deadline;
    ConnectFailures unreached = {};
    std::size_t untried = 1;  // addresses that may still be tried, with the present one
    bool allows_reconnecting() const {
      return policies.rebind != reference::CallPolicies::Rebind::no_reconnect;
    }
    reference::ConnectionKey key_for(const reference::Route::Address& address) const {
      return {address.connection_id, policies.private_connection ? ref.serial() : 0};
    }
    // When the connection to the present address must be there.
    std::chrono::steady_clock::time_point end_of_share() const;
  };
  // The attempt begins at `since`, and ends before `by`.
  Attempt attempt(reference::ObjectRef& ref, std::chrono::steady_clock::time_point since,
                  std::chrono::steady_clock::time_point by = reference::CallPolicies::never) const;
  Binding& rebind(reference::ObjectRef& ref, Binding& binding);
  // Binds by a connection of the thread, or a new one. A set of bindings that is missing is made first.
  Binding& bind_anew(reference::ObjectRef& ref, Binding& binding);
  Binding& bind_probed(reference::ObjectRef& ref, Binding& binding);
  Binding& bind_marked(reference::ObjectRef& ref, Binding& binding);
  // Makes other references to the same address bind in the same way.
  void remember(const reference::References& references, const Candidate& candidate, const Binding& binding);
  std::int32_t marked_by(const reference::References& references, const reference::ServerRoute& server) const;
  Binding& connect(reference::ObjectRef& ref, Binding& binding);
  // Null if the first candidate does not serve this thread's priority or cannot be reached; `attempt` records
  // that. The others may be tried after it.
  ClientChannel* reach(std::span<const Candidate> candidates, Attempt& attempt);
  // The first candidate that is reached before the attempt's deadline; null: none is.
  struct Reached {
    const Candidate* candidate = nullptr;
    ClientChannel* channel = nullptr;
  };
  Reached reach_one(const std::vector<Candidate>& candidates, Attempt& attempt);
  static bool is_common(const Attempt& attempt, const reference::Route& route);
  // An idle channel or a new one; null if the address could not be reached.
  ClientChannel* channel_to(const reference::Route& route, const reference::Route::Address& address,
                            Attempt& attempt);
  ClientChannel* add(const reference::ConnectionKey& key, std::unique_ptr<ClientChannel> opened,
                     const Attempt& attempt);
  // The idle channel, or one by a local road in its place, if one was prepared since it was opened.
  ClientChannel* moved_to_road(ClientChannel& idle, const ConnectionOverride::KeyedStrategy& connection,
                               const reference::Route::Address& address, Attempt& attempt);
  ClientChannel* with_open_oneway(const ClientChannel& idle, const reference::ConnectionKey& key) const;
  bool has_channel(const reference::ConnectionKey& key) const;
  // Throws REBIND if the reference has lost a connection that its policy forbids to replace.
  void refuse_to_reconnect(const Attempt& attempt, const reference::ConnectionKey& key) const;
  void note_connected(const Attempt& attempt, const reference::ConnectionKey& key);
  void close_unused();
  void close_ended();
  ConnectionOverride::KeyedStrategy connection_for(const reference::Route& route,
                                                   const reference::Route::Address& address,
                                                   Attempt& attempt);

  void connect_marked(const reference::Route& route, const std::vector<Candidate>& candidates,
                      Attempt& connecting);
  // Whether a connection to the first candidate, for calls of that priority, exists or can be made.
  bool reaches(std::span<const Candidate> candidates, std::optional<giop::Priority> priority,
               Attempt& connecting);

  // The kind of the thread's calls, by its context and strategy.
  BindingSets::Kind kind() const {
    const BindingSets::Kind kind = BindingSets::kind_of(context_.priority(), context_.quality() != nullptr,
                                                        marks_quality_ ? quality_row() : std::uint8_t{0});
    return strategy_ ? kind | BindingSets::asynchronous : kind;
  }
  std::uint8_t quality_row() const;
  // The rest of the kind is as it was, because each change of it selects bindings.
  void use_strategy(ConnectionStrategy* strategy) {
    strategy_ = strategy;
    bindings_.use(strategy ? bindings_.kind() | BindingSets::asynchronous
                           : bindings_.kind() & ~BindingSets::asynchronous);
  }

  const std::uint32_t process_ = os::process_number();
  ConnectionStrategy* strategy_ = nullptr;  // the strategy of asynchronous calls; null: the ORB's
  bool repeated_ = false;                   // see note_reissued()
  std::chrono::nanoseconds lost_time_{0};   // see note_reissued()
  std::string lost_target_;                 // see lost_target()
  std::chrono::steady_clock::time_point reissued_by_ = reference::CallPolicies::never;
  std::chrono::steady_clock::time_point connecting_since_ =
      reference::CallPolicies::never;  // see take_begin()
  reference::ThreadContext& context_ = reference::ThreadContext::mine();
  BindingSets bindings_;
  HeldBack* held_back_ = nullptr;
  bool marks_quality_ = false;  // an ORB that the thread has called marks by quality
  ReconnectRules reconnect_rules_;
  std::vector<Owned> channels_;
  static constexpr std::size_t least_sweep = 16;
  std::size_t sweep_from_ = least_sweep;  // number of channels with which a new one makes it close ended ones
  static inline thread_local constinit ThreadChannels* mine_ = nullptr;  // null until first used
};

}  // namespace takt::client
