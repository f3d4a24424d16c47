// Changes of the tree, in one order, on disk before they are answered.
#pragma once

#include <condition_variable>
#include <deque>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <variant>
#include <vector>

#include "naming/model/tree.h"
#include "naming/model/tree_mutex.h"
#include "naming/store/store.h"

namespace takt::naming {

// Any number of threads call. One of them writes for all that wait (group commit), and the tree changes for
// readers when the disk has it: nobody reads what a crash would lose.
class Committer {
 public:
  // Whether writing works, told when that has changed: the reason, or nothing. In a caller's thread.
  using Told = std::function<void(const std::string& why_not)>;
  using Failure = std::variant<Refusal, StoreFault>;
  // The context that was made, if one was.
  using Outcome = std::expected<ContextId, Failure>;

  // Readers of the tree hold the mutex shared. Without a store, changes last as long as the tree. The tree
  // and the mutex outlive this.
  Committer(Tree& tree, TreeMutex& mutex, std::unique_ptr<Store> store, const Limits& limits, Told told = {});

  // Blocks until it is on disk, or refused.
  Outcome carry_out(Change change);
  // The same for several, in their order; others' may come between.
  std::vector<Outcome> carry_out(std::vector<Change> changes);

 private:
  struct Pending {
    Change change{};
    Outcome outcome = 0;
    bool done = false;
  };
  // What changes of one batch touch: none of them depends on another one.
  struct Touched {
    std::unordered_set<std::string> keys;
    std::unordered_set<ContextId> contexts, destroyed;
    bool adds(const Change& change);
  };

  std::vector<Pending*> take_batch();
  void commit(const std::vector<Pending*>& batch);
  void write(const std::vector<Pending*>& batch);
  std::vector<Pending*> accepted(const std::vector<Pending*>& batch);
  void tell(const std::string& why_not);

  Tree& tree_;
  TreeMutex& tree_mutex_;
  const std::unique_ptr<Store> store_;
  const Limits limits_;
  const Told told_;
  std::string last_told_;  // of the thread that commits

  std::mutex mutex_;
  std::condition_variable finished_;
  std::deque<Pending*> waiting_;
  bool committing_ = false;
};

}  // namespace takt::naming
