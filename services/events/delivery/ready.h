// Tasks that become ready together.
#pragma once

#include <utility>

#include "events/delivery/dispatcher.h"
#include "events/delivery/task_list.h"

namespace takt::events {

// Collects tasks while locks are held, and makes them ready at its end, also if that is an exception: each
// task that was added counts as scheduled, and nothing would add it again. Adding allocates nothing. One
// thread at a time.
class Ready {
 public:
  // The dispatcher must outlive it.
  explicit Ready(Dispatcher& dispatcher) : dispatcher_(dispatcher) {}
  ~Ready() { dispatcher_.ready(std::move(tasks_)); }
  Ready(const Ready&) = delete;
  Ready& operator=(const Ready&) = delete;

  void add(Dispatcher::TaskPtr task) { tasks_.push(std::move(task)); }

 private:
  Dispatcher& dispatcher_;
  TaskList tasks_;
};

}  // namespace takt::events
