// Keeps the newest spans of an ORB in a file that is mapped into memory.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "os/memory/mapped_file.h"
#include "tracing/open_span.h"
#include "tracing/span_file.h"

namespace takt::tracing {

// Any thread. What is in the file survives the process.
class SpanRing {
 public:
  // `path`: %p in it stands for the process's number. The error is for people.
  static std::expected<std::unique_ptr<SpanRing>, std::string> create(std::string path, std::size_t spans,
                                                                      const os::FileOwner& owner);

  // Neither locks, allocates nor makes a system call. A span whose slot another thread is still writing is
  // left out and counted.
  void put(const EndedSpan& span) noexcept;

 private:
  explicit SpanRing(os::MappedFile file, std::size_t spans, const os::FileOwner& owner);
  SpanFileHead& head() const { return *reinterpret_cast<SpanFileHead*>(file_.data()); }

  const os::MappedFile file_;
  SpanSlot* const slots_;
  const std::uint64_t count_;
};

}  // namespace takt::tracing
