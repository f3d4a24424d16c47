// The values of a map as a list that readers keep while the map changes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <vector>

namespace takt::notification {

// The list is made when it is needed after a change, once for all readers. The mutex guards it and the map.
template <class T>
class Listed {
 public:
  using List = std::vector<T>;

  // Takes the mutex.
  std::shared_ptr<const List> get(std::shared_mutex& mutex, const std::map<std::int32_t, T>& all) const {
    {
      const std::shared_lock lock(mutex);
      if (list_) return list_;
    }
    const std::unique_lock lock(mutex);
    if (list_) return list_;
    auto made = std::make_shared<List>();
    made->reserve(all.size());
    for (const auto& [number, each] : all) made->push_back(each);
    return list_ = std::move(made);
  }
  // The map changes. Under the mutex.
  void reset() { list_.reset(); }

 private:
  mutable std::shared_ptr<const List> list_;
};

}  // namespace takt::notification
