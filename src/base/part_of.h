// Parts of what is owned as a whole.
#pragma once

#include <memory>

namespace takt {

// A T that is a member of something in a shared_ptr: who keeps the part keeps all of it.
template <class T>
class PartOf {
 public:
  // Once, by the owner, as soon as it is in one; before that, shared() is null.
  void become_part_of(const std::shared_ptr<void>& whole) {
    self_ = std::shared_ptr<T>(whole, static_cast<T*>(this));
  }
  std::shared_ptr<T> shared() const { return self_.lock(); }

 protected:
  ~PartOf() = default;

 private:
  std::weak_ptr<T> self_;
};

}  // namespace takt
