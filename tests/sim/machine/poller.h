// epoll.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "machine/file.h"
#include "machine/random.h"

namespace takt::sim {

// Supports level-triggered, edge-triggered and one-shot watching. A file is removed when its descriptor is
// closed.
class PollerFile final : public File {
 public:
  std::uint32_t ready(Time now) override { return any_ready(now) ? EPOLLIN : 0u; }
  std::string describe() const override { return "epoll of " + std::to_string(items_.size()); }

  // Returns an errno value, or 0.
  int add(int fd, std::shared_ptr<File> file, const epoll_event& event);
  int modify(int fd, const epoll_event& event);
  int remove(int fd);

  bool any_ready(Time now) const;
  // Takes at most `most` ready events in random order.
  int take(Time now, epoll_event* events, int most, Random& random);

 private:
  struct Item {
    std::weak_ptr<File> file;
    epoll_event wanted;
    bool armed = true;
    std::uint64_t seen_edges = 0;
  };
  static std::uint32_t report(const Item& item, Time now);

  std::map<int, Item> items_;
};

}  // namespace takt::sim
