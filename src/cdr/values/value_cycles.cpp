// Breaks reference cycles among received values. References are counted, so a cycle would never be freed, and
// a peer that sends many of them could fill our memory.
#include <unordered_map>
#include <vector>

#include <takt/cdr/counted_elsewhere.h>

#include "cdr/values/collected_state.h"
#include "cdr/values/value_state.h"

namespace takt::cdr {

namespace {

// The nodes are values and contents of Anys. A node with more references than the other nodes hold is kept by
// the program, and so is everything that it refers to.
class CycleBreaker {
 public:
  CycleBreaker(const ValueTable& values, const AnyContents& contents) {
    for (const auto& value : values) add(value).value = value.get();
    for (const auto& content : contents) add(content).content = content.get();
  }

  void run() {
    for (auto& [address, node] : nodes_) {
      if (node.value)
        look_into(node, *node.value);
      else
        look_into(node, *node.content);
    }
    std::vector<Node*> waiting;
    for (auto& [address, node] : nodes_)
      if (node.held_by_others != 0 || node.inexact) keep(node, waiting);
    while (!waiting.empty()) {
      const Node& node = *waiting.back();
      waiting.pop_back();
      for (const void* other : node.refers_to)
        if (const auto found = nodes_.find(other); found != nodes_.end()) keep(found->second, waiting);
    }
    for (auto& [address, node] : nodes_)
      if (node.value && !node.kept) take_apart(*node.value);
  }

 private:
  struct Node {
    CORBA::ValueBase* value = nullptr;
    const AnyContent* content = nullptr;
    long held_by_others = 0;  // references beyond those of nodes and the decoder
    bool inexact = false;     // the number of its references to others is unknown
    bool kept = false;
    std::vector<const void*> refers_to;
  };

  template <class T>
  Node& add(const std::shared_ptr<T>& held) {
    const auto [at, is_new] = nodes_.try_emplace(held.get());
    if (is_new) at->second.held_by_others = held.use_count();
    --at->second.held_by_others;
    return at->second;
  }

  void look_into(Node& node, const CORBA::ValueBase& value) {
    if (const auto* const counted = dynamic_cast<const CountedElsewhere*>(&value))
      node.held_by_others += counted->references();
    // Only a custom value's class knows what it refers to: it may have kept the references that it read,
    // copied them, or given them away.
    node.inexact = value._value_type().custom;
    if (node.inexact) return;
    const CollectedState state(value, CollectedState::Anys::by_reference);
    node.inexact = state.error != Error::none;
    for (const auto& other : state.values)
      if (other) note_reference(node, other.get());
    for (const CORBA::Any& any : state.anys) note_reference(node, &any._content());
  }
  void look_into(Node& node, const AnyContent& content) {
    for (const auto& other : content.values)
      if (other) note_reference(node, other.get());
  }

  void note_reference(Node& node, const void* other) {
    node.refers_to.push_back(other);
    const auto found = nodes_.find(other);
    if (found != nodes_.end() && !node.inexact) --found->second.held_by_others;
  }

  static void keep(Node& node, std::vector<Node*>& waiting) {
    if (node.kept) return;
    node.kept = true;
    waiting.push_back(&node);
  }

  // Sets its own state again, without the values that it refers to and its Anys.
  static void take_apart(CORBA::ValueBase& value) {
    CollectedState state(value, CollectedState::Anys::by_reference);
    for (auto& other : state.values) other = nullptr;
    for (CORBA::Any& any : state.anys) any = CORBA::Any();
    state.give_to(value);
  }

  std::unordered_map<const void*, Node> nodes_;
};

}  // namespace

void break_cycles(const ValueTable& values, const AnyContents& contents) noexcept {
  try {
    CycleBreaker(values, contents).run();
  } catch (...) {  // these values leak, and nothing else is affected
  }
}

}  // namespace takt::cdr
