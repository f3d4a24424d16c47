#include "machine/descriptors.h"

#include <algorithm>
#include <utility>

#include "machine/socket.h"

namespace takt::sim {

int Descriptors::open(std::shared_ptr<File> file, unsigned host, std::size_t most) {
  if (open_by(host) >= most) return -1;
  auto free = std::ranges::find(entries_, nullptr, &Entry::file);
  if (free == entries_.end()) free = entries_.emplace(entries_.end());
  *free = {std::move(file), host};
  return first + static_cast<int>(free - entries_.begin());
}

std::shared_ptr<File> Descriptors::find(int fd) const {
  const auto index = static_cast<std::size_t>(fd - first);
  return index < entries_.size() ? entries_[index].file : nullptr;
}

std::shared_ptr<File> Descriptors::close(int fd) {
  const auto index = static_cast<std::size_t>(fd - first);
  return index < entries_.size() ? std::exchange(entries_[index].file, nullptr) : nullptr;
}

std::size_t Descriptors::open_by(unsigned host) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      entries_, [host](const Entry& entry) { return entry.file && entry.host == host; }));
}

std::size_t Descriptors::connections_of(unsigned host) const {
  return static_cast<std::size_t>(std::ranges::count_if(entries_, [host](const Entry& entry) {
    const auto* const socket = dynamic_cast<const Socket*>(entry.file.get());
    return entry.host == host && socket && socket->connected();
  }));
}

std::size_t Descriptors::count() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(entries_, [](const Entry& entry) { return !!entry.file; }));
}

std::string Descriptors::describe() const {
  std::string text;
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].file)
      text += "  descriptor " + std::to_string(first + static_cast<int>(i)) + " of host " +
              std::to_string(entries_[i].host) + ": " + entries_[i].file->describe() + "\n";
  return text;
}

}  // namespace takt::sim
