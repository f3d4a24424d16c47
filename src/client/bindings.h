// How the references that a thread calls are bound to its channels.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "client/channel/client_channel.h"
#include "reference/object_ref.h"
#include "reference/policies/call_policies.h"
#include "reference/target.h"

namespace takt::client {

// A reference's channel in this thread. `route` is valid as long as the binding.
struct Binding {
  // Serial of the reference; its bitwise NOT when probes are on, which forces the slow path.
  std::uint64_t serial = 0;
  std::uint32_t generation = 0;
  bool plain = false;         // requests carry at most the code sets, and no policy affects them
  bool lite = false;          // as `plain`, but with GIOPlite names; excludes `plain`
  bool has_policies = false;  // policies affect the calls, or the thread has a quality
  bool lite_only = false;     // a policy allows only GIOPlite
  // The connection id of the common binding of which this is a copy; 0: it is no copy.
  std::uint64_t copy_of = 0;
  ClientChannel* channel = nullptr;
  const reference::Route* route = nullptr;
  std::chrono::nanoseconds timeout{};                    // limit of silence, unless a deadline is earlier
  std::shared_ptr<const reference::Target> target = {};  // keeps route alive
  reference::CallPolicies policies;

  void set_route(const reference::Route& new_route, std::shared_ptr<const reference::Target> new_target) {
    const bool carries_nothing = !has_policies && !new_route.server->has_extra_contexts;
    plain = carries_nothing && !channel->names();
    lite = carries_nothing && channel->names();
    route = &new_route;
    target = std::move(new_target);
  }
};

// One thread's bindings for calls of one kind. A limited number of references have their own. The others are
// bound again with each call, by copying the last binding for the same connection. Neither locks nor
// allocates.
class Bindings {
 public:
  // The slot of the reference, which other references share.
  Binding& of(const reference::ObjectRef& ref) {
    return of_references_[ref.serial() % of_references_.size()];
  }
  const Binding& of(const reference::ObjectRef& ref) const {
    return of_references_[ref.serial() % of_references_.size()];
  }

  // Binds `ref` by copying the binding of another reference to the same address. False if there is none, or
  // `ref` has policies of its own.
  bool bind_by_copy(reference::ObjectRef& ref, Binding& binding) {
    return bind_as(ref, binding, [&](const reference::ServerRoute& server) {
      return find(*ref.references(), server.addresses.front().connection_id);
    });
  }
  // The same if connections are marked. `marked_by` returns the priority that determines a server's marking,
  // or not_marked.
  static constexpr std::int32_t not_marked = -1;
  template <class MarkedBy>
  bool bind_marked_by_copy(reference::ObjectRef& ref, Binding& binding, const MarkedBy& marked_by) {
    return bind_as(ref, binding, [&](const reference::ServerRoute& server) {
      return find_marked(*ref.references(), server.addresses.front().connection_id, marked_by(server));
    });
  }
  // Makes bind_by_copy() copy this binding for references to that address.
  void remember(const reference::References& references, std::uint64_t connection_id,
                const Binding& binding) {
    Common* common = find(references, connection_id);
    if (!common) common = &common_.emplace_back(&references, connection_id);
    remember(*common, binding);
  }
  // The same for bind_marked_by_copy() and that marking.
  void remember_marked(const reference::References& references, std::uint64_t connection_id,
                       std::int32_t marked_by, const Binding& binding) {
    Common* common = find_marked(references, connection_id, marked_by);
    if (!common) common = &marked_.emplace_back(&references, connection_id, marked_by);
    remember(*common, binding);
  }

  // Forgets the bindings on a channel. Null means all; then the slots keep their targets, so that replace()
  // can still pin one that is in use.
  void forget(const ClientChannel* channel = nullptr) {
    for (std::vector<Common>* const list : {&common_, &marked_})
      std::erase_if(*list,
                    [&](const Common& common) { return !channel || common.binding.channel == channel; });
    for (Binding& binding : of_references_)
      if (!channel)
        binding.serial = 0;
      else if (binding.channel == channel)
        binding = {};
  }

  // Replaces a binding. A call in progress keeps what it uses alive.
  static void replace(Binding& binding, const Binding& by) {
    if (binding.channel && binding.channel->busy()) binding.channel->pin(std::move(binding.target));
    binding = by;
  }

 private:
  struct Common {
    const reference::References* references;
    std::uint64_t connection_id;
    std::int32_t marked_by = not_marked;
    Binding binding = {};  // without a reference
  };

  template <class Find>
  bool bind_as(reference::ObjectRef& ref, Binding& binding, const Find& find_for) {
    const std::uint32_t generation = ref.generation();  // must be read before the target
    std::shared_ptr<const reference::Target> target = ref.first_target();
    if (!target || target->routes.empty() || ref.overrides()) return false;
    const reference::Route& route = target->routes.front();
    const reference::ServerRoute& server = *route.server;
    if (server.by_priority || server.addresses.empty()) return false;
    const Common* common = find_for(server);
    if (!common || common->binding.generation != generation) return false;
    ClientChannel* const channel = common->binding.channel;
    if (!channel || channel->busy() || channel->broken()) return false;
    // Everything except the target may be set already.
    if (binding.copy_of != common->connection_id || binding.channel != channel ||
        binding.generation != generation)
      replace(binding, common->binding);
    binding.serial = ref.serial();
    binding.set_route(route, std::move(target));
    return true;
  }
  static void remember(Common& common, const Binding& binding) {
    common.binding = binding;
    common.binding.copy_of = common.connection_id;
    common.binding.target = nullptr;
  }
  Common* find(const reference::References& references, std::uint64_t connection_id) {
    const auto found = std::ranges::find_if(common_, [&](const Common& common) {
      return common.connection_id == connection_id && common.references == &references;
    });
    return found == common_.end() ? nullptr : &*found;
  }
  Common* find_marked(const reference::References& references, std::uint64_t connection_id,
                      std::int32_t marked_by) {
    const auto found = std::ranges::find_if(marked_, [&](const Common& common) {
      return common.connection_id == connection_id && common.marked_by == marked_by &&
             common.references == &references;
    });
    return found == marked_.end() ? nullptr : &*found;
  }

  std::array<Binding, 64> of_references_;
  std::vector<Common> common_;  // one per address
  std::vector<Common> marked_;  // one per address and marking
};

}  // namespace takt::client
