// Servers that wait by io_uring.
#include <cerrno>
#include <expected>
#include <memory>
#include <utility>

#include "orb/parts/parts.h"

#ifdef TAKT_HAS_LIBURING
#include "uring/uring_poll.h"
#include "uring/uring_reactor.h"
#endif

namespace takt {

namespace {

// Without liburing it fails as a kernel without io_uring does.
std::expected<server::ReactorAndStreams, int> make_io_uring() {
#ifdef TAKT_HAS_LIBURING
  auto reactor = uring::UringReactor::create();
  if (!reactor) return std::unexpected(reactor.error());
  auto streams = std::make_unique<uring::UringStreams>(**reactor);
  return server::ReactorAndStreams{std::move(*reactor), std::move(streams)};
#else
  return std::unexpected(ENOSYS);
#endif
}

std::expected<server::PollAndStreams, int> make_io_uring_poll() {
#ifdef TAKT_HAS_LIBURING
  auto poll = uring::UringPoll::create();
  if (!poll) return std::unexpected(poll.error());
  auto streams = std::make_unique<uring::UringStreams>((*poll)->reactor());
  return server::PollAndStreams{std::move(*poll), std::move(streams), [](os::SharedPoll& ring, int fd) {
                                  return static_cast<uring::UringPoll&>(ring).has_others(fd);
                                }};
#else
  return std::unexpected(ENOSYS);
#endif
}

}  // namespace

void add_io_uring(Parts& parts) {
  parts.make_io_uring = &make_io_uring;
  parts.make_io_uring_poll = &make_io_uring_poll;
}

}  // namespace takt
