// Applies changes to the tree in one order, and writes them to disk before they are answered.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "naming/model/tree.h"
#include "naming/model/tree_mutex.h"
#include "naming/store/changes.h"
#include "naming/store/store.h"

namespace takt::naming {

// Thread-safe. One caller writes the changes of all waiting callers in one transaction (group commit). The
// tree changes only after the disk has them, so readers never see a change that a crash could lose.
class Committer final : public Changes {
 public:
  // Called in a caller's thread when writing starts to fail or to work again. `why_not` is the reason; empty:
  // it works.
  using Report = std::function<void(const std::string& why_not)>;

  // Readers of the tree must hold the mutex shared. Without a store, changes are only in memory. The tree and
  // the mutex must outlive this object.
  Committer(Tree& tree, TreeMutex& mutex, std::unique_ptr<Store> store, const Limits& limits,
            Report report = {});

  Outcome carry_out(Change change) override;
  std::vector<Outcome> carry_out(std::vector<Change> changes) override;

 private:
  struct Pending {
    Change change{};
    Outcome outcome = 0;
    bool done = false;
  };
  // Keys and contexts that a batch of changes touches. Changes in one batch are independent of each other.
  struct Touched {
    std::unordered_set<std::string> keys;
    std::unordered_set<ContextId> contexts, destroyed;
    bool adds(const Change& change);
  };

  void take_batch() noexcept;
  void commit(const std::vector<Pending*>& batch);
  void write(const std::vector<Pending*>& batch);
  std::vector<Pending*> accepted(const std::vector<Pending*>& batch);
  void report(const std::string& why_not);

  Tree& tree_;
  TreeMutex& tree_mutex_;
  const std::unique_ptr<Store> store_;
  const Limits limits_;
  const Report report_;
  std::string last_reported_;  // used only by the thread that commits

  std::mutex mutex_;
  std::condition_variable finished_;
  std::deque<Pending*> waiting_;
  bool committing_ = false;
  std::vector<Pending*> batch_;  // used only by the thread that commits
};

}  // namespace takt::naming
