// The end of values that refer to each other in a circle. References are counted, and a circle of them is
// never let go by itself; a peer that sends many of them must not fill our memory.
#include <unordered_map>
#include <vector>

#include "cdr/values/collected_state.h"
#include "cdr/values/value_state.h"

namespace takt::cdr {

namespace {

// Values, and contents of Anys, are nodes. A node that is referred to more often than by other nodes is kept
// by the program, and so is all that it refers to.
class CycleEnder {
 public:
  CycleEnder(const ValueTable& values, const AnyContents& contents) {
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
    long held_by_others = 0;  // than by nodes and the decoder
    bool inexact = false;     // how often it refers to others is not known
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
    // What a custom value refers to is known to its class alone: it may have kept the references that it has
    // read, copied them, or given them away.
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

  // Its own state again, but for the values that it refers to, and its Anys.
  static void take_apart(CORBA::ValueBase& value) {
    CollectedState state(value, CollectedState::Anys::by_reference);
    for (auto& other : state.values) other = nullptr;
    for (CORBA::Any& any : state.anys) any = CORBA::Any();
    state.give_to(value);
  }

  std::unordered_map<const void*, Node> nodes_;
};

}  // namespace

void end_cycles(const ValueTable& values, const AnyContents& contents) noexcept {
  try {
    CycleEnder(values, contents).run();
  } catch (...) {  // what is left is lost, but nothing else is
  }
}

}  // namespace takt::cdr
