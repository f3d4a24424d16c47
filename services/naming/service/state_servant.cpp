#include "naming/service/state_servant.h"

#include <shared_mutex>

namespace takt::naming {

Takt::Naming::State StateServant::look() {
  Takt::Naming::State state;
  {
    const std::shared_lock lock(mutex_);
    state.bindings(tree_.bindings());
    state.contexts(tree_.contexts());
  }
  state.iterators(cursors_.size());
  if (const auto shared = changes_.figures()) {
    Takt::Naming::Cluster cluster;
    cluster.answers(shared->answers);
    cluster.age_ns(static_cast<std::uint64_t>(shared->age.count()));
    cluster.revision(shared->revision);
    cluster.readings(shared->readings);
    cluster.questions(shared->questions);
    cluster.failed_questions(shared->failed_questions);
    cluster.changes(shared->changes);
    cluster.repeated_changes(shared->repeated_changes);
    cluster.failed_changes(shared->failed_changes);
    state.cluster({cluster});
  }
  return state;
}

}  // namespace takt::naming
