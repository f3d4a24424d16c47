// The object behind a virtual descriptor.
#pragma once

#include <sys/epoll.h>

#include <cstdint>
#include <memory>
#include <string>

#include "machine/faults.h"

namespace takt::sim {

// Lives as long as a descriptor or a system call in progress uses it.
class File {
 public:
  virtual ~File() = default;
  // EPOLLIN, EPOLLOUT, EPOLLERR and EPOLLHUP at that time.
  virtual std::uint32_t ready(Time now) = 0;
  // Counts the events that edge-triggered watching reports.
  virtual std::uint64_t edges() const { return 0; }
  // Called when the last descriptor is closed.
  virtual void closed(Time) {}
  virtual std::string describe() const = 0;

  bool blocking = true;
};

// eventfd: a count that reading resets.
class EventFile final : public File {
 public:
  explicit EventFile(std::uint64_t count) : count_(count) {}
  std::uint32_t ready(Time) override { return (count_ > 0 ? EPOLLIN : 0u) | EPOLLOUT; }
  std::uint64_t edges() const override { return writes_; }
  std::string describe() const override { return "eventfd"; }
  void add(std::uint64_t value) {
    count_ += value;
    ++writes_;
  }
  std::uint64_t take() {
    const std::uint64_t taken = count_;
    count_ = 0;
    return taken;
  }

 private:
  std::uint64_t count_;
  std::uint64_t writes_ = 0;
};

// /dev/null, which reserves a descriptor.
class NullFile final : public File {
 public:
  std::uint32_t ready(Time) override { return EPOLLIN | EPOLLOUT; }
  std::string describe() const override { return "/dev/null"; }
};

}  // namespace takt::sim
