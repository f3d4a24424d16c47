#include "link.h"

#include <poll.h>
#include <sys/socket.h>

namespace takt::fuzz::live {

using transport::IoStatus;

Link::Link(std::unique_ptr<transport::Stream> stream, bool deaf) : stream_(std::move(stream)), deaf_(deaf) {
  stream_->set_blocking(false);
}

void Link::say(const Step& step) {
  if (over_ || step.octets.empty()) return;
  if (!step.beneath) return write(step.octets);
  if (::send(stream_->native_handle(), step.octets.data(), step.octets.size(), MSG_DONTWAIT | MSG_NOSIGNAL) <
      0)
    over_ = true;
}

void Link::write(ByteView octets) {
  constexpr int most_waits = 60;
  for (int waits = 0; !octets.empty() && !over_ && waits < most_waits;) {
    const auto result = stream_->write(octets);
    if (result.status == IoStatus::ok) {
      octets = octets.subspan(result.bytes);
      waits = 0;
    } else if (result.status == IoStatus::would_block) {
      hear();
      pollfd ready{stream_->native_handle(), POLLIN | POLLOUT, 0};
      ::poll(&ready, 1, 2);
      ++waits;
    } else {
      over_ = true;
    }
  }
  if (!octets.empty()) over_ = true;
}

void Link::hear() {
  if (deaf_) return;
  std::uint8_t some[16 * 1024];
  for (int reads = 0; reads < 64 && !over_; ++reads) {
    const auto result = stream_->read(some);
    if (result.status == IoStatus::would_block) return;
    over_ = result.status != IoStatus::ok;
  }
}

}  // namespace takt::fuzz::live
