#include "machine/poller.h"

#include <algorithm>
#include <cerrno>

namespace takt::sim {

int PollerFile::add(int fd, std::shared_ptr<File> file, const epoll_event& event) {
  Item& item = items_[fd];
  if (item.file.lock() == file) return EEXIST;
  item = {file, event};
  return 0;
}

int PollerFile::modify(int fd, const epoll_event& event) {
  const auto found = items_.find(fd);
  if (found == items_.end()) return ENOENT;
  found->second.wanted = event;
  found->second.armed = true;
  found->second.seen_edges = 0;
  return 0;
}

int PollerFile::remove(int fd) { return items_.erase(fd) ? 0 : ENOENT; }

std::uint32_t PollerFile::report(const Item& item, Time now) {
  const auto file = item.file.lock();
  if (!file || !item.armed) return 0;
  if ((item.wanted.events & EPOLLET) && file->edges() == item.seen_edges) return 0;
  return file->ready(now) & (item.wanted.events | EPOLLERR | EPOLLHUP);
}

bool PollerFile::any_ready(Time now) const {
  return std::ranges::any_of(items_, [now](const auto& entry) { return report(entry.second, now) != 0; });
}

int PollerFile::take(Time now, epoll_event* events, int most, Random& random) {
  std::vector<Item*> ready;
  for (auto& [fd, item] : items_)
    if (report(item, now)) ready.push_back(&item);
  int taken = 0;
  for (; taken < most && !ready.empty(); ++taken) {
    const auto place = ready.begin() + static_cast<std::ptrdiff_t>(random.below(ready.size()));
    Item& item = **place;
    ready.erase(place);
    events[taken] = item.wanted;
    events[taken].events = report(item, now);
    item.seen_edges = item.file.lock()->edges();
    if (item.wanted.events & EPOLLONESHOT) item.armed = false;
  }
  return taken;
}

}  // namespace takt::sim
