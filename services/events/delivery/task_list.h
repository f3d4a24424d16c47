// Tasks one behind the other.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "events/delivery/task.h"

namespace takt::events {

// First in, first out. It allocates nothing, because each task refers to the next one, and so is in one list
// at most. One thread at a time.
class TaskList {
 public:
  using TaskPtr = std::shared_ptr<Task>;

  TaskList() = default;
  TaskList(TaskList&& other) noexcept { swap(other); }
  TaskList& operator=(TaskList&& other) noexcept {
    TaskList taken(std::move(other));
    swap(taken);
    return *this;
  }
  // Releases the tasks one by one. The first one's end would otherwise be that of all others, each within
  // that of the one before.
  ~TaskList() {
    while (pop()) continue;
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  void push(TaskPtr task) {
    Task* const added = task.get();
    (last_ ? last_->next_ : first_) = std::move(task);
    last_ = added;
    ++size_;
  }
  // Null if the list is empty.
  TaskPtr pop() {
    if (!first_) return nullptr;
    TaskPtr task = std::move(first_);
    first_ = std::move(task->next_);
    if (!first_) last_ = nullptr;
    --size_;
    return task;
  }
  void swap(TaskList& other) noexcept {
    first_.swap(other.first_);
    std::swap(last_, other.last_);
    std::swap(size_, other.size_);
  }

 private:
  TaskPtr first_;
  Task* last_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace takt::events
