#include "uring/uring_poll.h"

#include <algorithm>
#include <array>
#include <utility>

namespace takt::uring {

using os::Interest;
using namespace std::chrono_literals;

std::expected<std::unique_ptr<UringPoll>, int> UringPoll::create() {
  auto reactor = UringReactor::create();
  if (!reactor) return std::unexpected(reactor.error());
  std::unique_ptr<UringPoll> poll(new UringPoll(std::move(*reactor)));
  if (const int error = poll->open()) return std::unexpected(error);
  if (!poll->reactor_->add(poll->fd(), Interest::read, &poll->others_)) return std::unexpected(ENOMEM);
  return poll;
}

UringPoll::~UringPoll() = default;

bool UringPoll::is_waiter() const { return waiter_.load(std::memory_order_relaxed) == this_thread(); }

void UringPoll::Watched::on_ready(Interest ready) noexcept {
  if (watching == Watching::once) poll->reactor_->mute(fd);
  poll->told_.push_back({fd, {token, ready}});
}

bool UringPoll::add(int fd, Interest interest, void* token, Watching watching) {
  if (!is_waiter() || !reactor_->has_adopted(fd)) return SharedPoll::add(fd, interest, token, watching);
  const auto index = static_cast<std::size_t>(fd);
  if (index >= watched_.size()) watched_.resize(std::max(index + 1, 2 * watched_.size()));
  if (!watched_[index]) watched_[index] = std::make_unique<Watched>();
  Watched& watched = *watched_[index];
  watched.poll = this;
  watched.fd = fd;
  watched.token = token;
  watched.watching = watching;
  told_.reserve(watched_.size());
  const std::lock_guard lock(mutex_);
  in_ring_.resize(watched_.size());
  posted_.reserve(watched_.size());
  if (!reactor_->add(fd, interest, &watched)) return false;  // nothing allocates from here on
  in_ring_[index] = {.watched = true};
  return true;
}

bool UringPoll::again(int fd, Interest interest, void* token, Watching watching) {
  if (is_waiter()) {
    if (!reactor_->has_adopted(fd)) return SharedPoll::again(fd, interest, token, watching);
    return reactor_->modify(fd, interest).has_value();
  }
  {
    const std::lock_guard lock(mutex_);
    const auto index = static_cast<std::size_t>(fd);
    if (index >= in_ring_.size() || !in_ring_[index].watched)
      return SharedPoll::again(fd, interest, token, watching);
    in_ring_[index].interest = interest;
    if (!std::exchange(in_ring_[index].posted, true)) posted_.push_back(fd);
    has_posted_.store(true);
  }
  reactor_->notify();
  return true;
}

[[gnu::cold]] void UringPoll::take_posted() {
  const std::lock_guard lock(mutex_);
  has_posted_.store(false);
  for (const int fd : posted_) {
    InRing& one = in_ring_[static_cast<std::size_t>(fd)];
    one.posted = false;
    (void)reactor_->modify(fd, one.interest);
  }
  posted_.clear();
}

void UringPoll::remove(int fd) {
  if (!is_waiter() || !reactor_->has_adopted(fd)) return SharedPoll::remove(fd);
  (void)reactor_->remove(fd);
  std::erase_if(told_, [fd](const Told& one) { return one.fd == fd; });
  const std::lock_guard lock(mutex_);
  if (static_cast<std::size_t>(fd) < in_ring_.size()) in_ring_[static_cast<std::size_t>(fd)] = {};
  std::erase(posted_, fd);
}

std::optional<os::SharedPoll::Ready> UringPoll::wait(std::chrono::nanoseconds timeout) {
  if (!is_waiter()) [[unlikely]]
    waiter_.store(this_thread());
  if (has_posted_.load(std::memory_order_relaxed)) [[unlikely]]
    take_posted();
  for (;;) {
    if (!told_.empty()) {
      const Ready first = told_.front().ready;
      told_.erase(told_.begin());
      return first;
    }
    if (std::exchange(others_are_ready_, false))
      if (const auto ready = SharedPoll::wait(0ns)) return ready;
    if (reactor_->run_one(std::max<std::chrono::nanoseconds>(timeout, 0ns)) == 0) return std::nullopt;
  }
}

std::size_t UringPoll::take_ready(std::span<Ready> into) {
  std::size_t count = SharedPoll::take_ready(into);
  std::array<UringReactor::Told, 64> told;
  const auto free = std::min(told.size(), into.size() - count);
  const std::size_t found = reactor_->look_at_ready(std::span(told).first(free));
  for (const UringReactor::Told& one : std::span(told).first(found))
    if (one.handler != &others_) into[count++] = {static_cast<Watched*>(one.handler)->token, one.ready};
  return count;
}

void UringPoll::leave() {
  reactor_->close();
  waiter_ = -1;
  const std::lock_guard lock(mutex_);
  in_ring_.clear();
  posted_.clear();
}

}  // namespace takt::uring
