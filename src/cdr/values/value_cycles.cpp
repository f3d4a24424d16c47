// The end of values that refer to each other in a circle. References are counted, and a circle of them is
// never let go by itself; a peer that sends many of them must not fill our memory.
#include <unordered_map>
#include <vector>

#include "cdr/values/collected_state.h"
#include "cdr/values/value_state.h"

namespace takt::cdr {

namespace {

class CycleEnder {
 public:
  explicit CycleEnder(const ValueDecoding& decoding) {
    for (const auto& [position, known] : decoding.values) {
      Node& node = nodes_[known.value.get()];
      node.value = known.value.get();
      node.held_by_others = known.value.use_count();
    }
    for (const auto& [position, known] : decoding.values) --nodes_[known.value.get()].held_by_others;
  }

  void run() {
    for (auto& [address, node] : nodes_) look_into(node);
    std::vector<Node*> waiting;
    for (auto& [address, node] : nodes_)
      if (node.held_by_others != 0 || node.inexact) keep(node, waiting);
    while (!waiting.empty()) {
      const Node& node = *waiting.back();
      waiting.pop_back();
      for (const CORBA::ValueBase* other : node.refers_to)
        if (const auto found = nodes_.find(other); found != nodes_.end()) keep(found->second, waiting);
    }
    for (auto& [address, node] : nodes_)
      if (!node.kept) take_apart(*node.value);
  }

 private:
  struct Node {
    CORBA::ValueBase* value = nullptr;
    long held_by_others = 0;  // than the message's values, and the decoder
    bool inexact = false;     // how often it refers to others is not known
    bool kept = false;
    std::vector<const CORBA::ValueBase*> refers_to;
  };

  void look_into(Node& node) {
    node.inexact = node.value->_value_type().custom;  // whose state is the application's business
    if (node.inexact) return;
    const CollectedState state(*node.value);
    node.inexact = state.shared || state.error != Error::none;
    for (const auto& other : state.values) {
      if (!other) continue;
      node.refers_to.push_back(other.get());
      const auto found = nodes_.find(other.get());
      if (found != nodes_.end() && !node.inexact) --found->second.held_by_others;
    }
  }

  static void keep(Node& node, std::vector<Node*>& waiting) {
    if (node.kept) return;
    node.kept = true;
    waiting.push_back(&node);
  }

  // Its own state again, but for what it refers to.
  static void take_apart(CORBA::ValueBase& value) {
    CollectedState state(value);
    for (auto& other : state.values) other = nullptr;
    state.give_to(value);
  }

  std::unordered_map<const CORBA::ValueBase*, Node> nodes_;
};

}  // namespace

void end_cycles(const ValueDecoding& values) noexcept {
  try {
    CycleEnder(values).run();
  } catch (...) {  // what is left is lost, but nothing else is
  }
}

}  // namespace takt::cdr
