#include "adapter/poa/default_adapter.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "adapter/poa/adapter_tree.h"
#include "threads/locks/priority_mutex.h"

namespace takt::adapter {

namespace {

struct LiveTrees {
  os::PriorityMutex mutex;
  std::vector<AdapterTree*> trees;
};
LiveTrees& live() {
  static auto* trees = new LiveTrees;  // never destroyed, since static objects may use it at exit
  return *trees;
}

constinit std::atomic<OpenRoot> open_root{nullptr};

}  // namespace

void set_open_root(OpenRoot open) { open_root = open; }

bool open_default_root() {
  const OpenRoot open = open_root;
  return open && open();
}

void remember_adapters(AdapterTree& tree) {
  std::lock_guard lock(live().mutex);
  auto& trees = live().trees;
  if (std::ranges::find(trees, &tree) == trees.end()) trees.push_back(&tree);
}

void forget_adapters(AdapterTree& tree) {
  std::lock_guard lock(live().mutex);
  std::erase(live().trees, &tree);
}

DefaultRoot default_root() {
  std::unique_lock lock(live().mutex);
  for (AdapterTree* tree : live().trees) {
    auto references = tree->references.shared();
    if (!references || references->down()) continue;
    lock.unlock();
    auto root = tree->root();
    return {std::move(references), std::move(root)};
  }
  return {};
}

AdapterTree* adapters_of(const reference::References& references) {
  std::lock_guard lock(live().mutex);
  const auto& trees = live().trees;
  const auto found =
      std::ranges::find(trees, &references, [](const AdapterTree* tree) { return &tree->references; });
  return found == trees.end() ? nullptr : *found;
}

}  // namespace takt::adapter
