// Which channel each reference last used in one thread.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "client/channel/client_channel.h"
#include "reference/object_ref.h"
#include "reference/policies/call_policies.h"
#include "reference/target.h"

namespace takt::client {

// A reference's channel in this thread. `route` stays valid while the binding stands.
struct Binding {
  std::uint64_t serial = 0;  // its complement where the ORB is probed: then none is ever found at once
  std::uint32_t generation = 0;
  bool plain = false;       // requests carry nothing but the code sets, and no policy says anything of them
  bool lite = false;        // so it is, but for the numbers of GIOPlite; then it is not plain
  bool special = false;     // policies do, or the thread's calls have a quality
  bool lite_alone = false;  // a policy leaves nothing else
  std::uint64_t alike = 0;  // the address of which any reference would be bound so; 0: others would not
  ClientChannel* channel = nullptr;
  const reference::Route* route = nullptr;
  std::chrono::nanoseconds timeout{};                    // for silence, where no deadline says more
  std::shared_ptr<const reference::Target> target = {};  // keeps route alive
  reference::CallPolicies policies;

  void lead_to(const reference::Route& new_route, std::shared_ptr<const reference::Target> new_target) {
    const bool carries_nothing = !special && !new_route.server->unusual_head;
    plain = carries_nothing && !channel->names();
    lite = carries_nothing && channel->names();
    route = &new_route;
    target = std::move(new_target);
  }
};

// A thread's, for calls of one kind. A few references have a binding of their own; the others are bound again
// with each call, like the one before on the same connection. Neither takes a lock or memory.
class Bindings {
 public:
  // The place that the reference shares with some others.
  Binding& of(const reference::ObjectRef& ref) {
    return of_references_[ref.serial() % of_references_.size()];
  }
  const Binding& of(const reference::ObjectRef& ref) const {
    return of_references_[ref.serial() % of_references_.size()];
  }

  // Makes it the reference's, if any reference without policies of its own is bound in the same way that
  // leads to the same address.
  bool bind_alike(reference::ObjectRef& ref, Binding& binding) {
    return bind_as(ref, binding, [&](const reference::ServerRoute& server) {
      return find(*ref.references(), server.addresses.front().connection_id);
    });
  }
  // The same where connections are marked: `marked_by` gives by which priority those to a server are, or
  // not_marked.
  static constexpr std::int32_t not_marked = -1;
  template <class MarkedBy>
  bool bind_marked_alike(reference::ObjectRef& ref, Binding& binding, const MarkedBy& marked_by) {
    return bind_as(ref, binding, [&](const reference::ServerRoute& server) {
      return find_marked(*ref.references(), server.addresses.front().connection_id, marked_by(server));
    });
  }
  // From now on bind_alike() binds so what leads to that address.
  void remember(const reference::References& references, std::uint64_t connection_id,
                const Binding& binding) {
    Common* common = find(references, connection_id);
    if (!common) common = &common_.emplace_back(&references, connection_id);
    remember(*common, binding);
  }
  // The same for bind_marked_alike(), where that address is marked so.
  void remember_marked(const reference::References& references, std::uint64_t connection_id,
                       std::int32_t marked_by, const Binding& binding) {
    Common* common = find_marked(references, connection_id, marked_by);
    if (!common) common = &marked_.emplace_back(&references, connection_id, marked_by);
    remember(*common, binding);
  }

  // What stands on that channel is forgotten; null: on any, and then bindings keep theirs, so that one in use
  // is still pinned by whoever binds next.
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

  // Leads elsewhere from now on; a call that is under way keeps what it uses.
  static void replace(Binding& binding, const Binding& by) {
    if (binding.channel && binding.channel->busy()) binding.channel->pin(std::move(binding.target));
    binding = by;
  }

 private:
  struct Common {
    const reference::References* references;
    std::uint64_t connection_id;
    std::int32_t marked_by = not_marked;
    Binding binding = {};  // of no reference
  };

  template <class Find>
  bool bind_as(reference::ObjectRef& ref, Binding& binding, const Find& find_for) {
    const std::uint32_t generation = ref.generation();  // before where it leads
    std::shared_ptr<const reference::Target> target = ref.first_target();
    if (!target || target->routes.empty() || ref.overrides()) return false;
    const reference::Route& route = target->routes.front();
    const reference::ServerRoute& server = *route.server;
    if (server.by_priority || server.addresses.empty()) return false;
    const Common* common = find_for(server);
    if (!common || common->binding.generation != generation) return false;
    ClientChannel* const channel = common->binding.channel;
    if (!channel || channel->busy() || channel->broken()) return false;
    // All but where it leads, it may say already.
    if (binding.alike != common->connection_id || binding.channel != channel ||
        binding.generation != generation)
      replace(binding, common->binding);
    binding.serial = ref.serial();
    binding.lead_to(route, std::move(target));
    return true;
  }
  static void remember(Common& common, const Binding& binding) {
    common.binding = binding;
    common.binding.alike = common.connection_id;
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
  std::vector<Common> common_;  // one for each address
  std::vector<Common> marked_;  // one for each address and marking, where there are any
};

}  // namespace takt::client
