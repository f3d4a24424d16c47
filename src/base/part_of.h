// Members that share ownership of the object that contains them.
#pragma once

#include <memory>

namespace takt {

// Base of a T that is a member of an object in a shared_ptr. shared() keeps the whole object alive.
template <class T>
class PartOf {
 public:
  // Called once by the owner, as soon as a shared_ptr holds it. Until then shared() is null.
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
