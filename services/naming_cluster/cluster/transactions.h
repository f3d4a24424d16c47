// Changes to the tree as transactions of etcd.
#pragma once

#include <optional>
#include <string>

#include "naming/model/tree.h"
#include "naming_cluster/cluster/layout.h"
#include "naming_cluster/etcd/messages.h"

namespace takt::naming {

// A change as this tree sees it. The transaction compares all that the decision depends on, and it is carried
// out once at most, because it also compares `fence`, and each key that it writes. With a refusal it writes
// nothing: that it succeeds confirms the refusal. If not, it reads `last`: how new the tree must be to decide
// again.
struct Planned {
  std::optional<Refusal> refusal;
  bool is_local = false;  // the refusal depends on no key
  etcd::Transaction transaction;
};

// `change` has the id of the context that it makes. `mark` identifies the change: it becomes the value of
// `last`. The tree does not change meanwhile.
Planned plan(const Change& change, const Tree& tree, const Limits& limits, const Layout& layout,
             etcd::Revision fence, const std::string& mark);

}  // namespace takt::naming
