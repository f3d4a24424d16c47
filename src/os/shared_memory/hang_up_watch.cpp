#include "os/shared_memory/hang_up_watch.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <mutex>
#include <unordered_map>
#include <vector>

#include "os/shared_memory/shared_region.h"
#include "threads/locks/priority_mutex.h"
#include "threads/owning_process.h"
#include "threads/watching_thread.h"

namespace takt::os {

// Never destroyed, because sockets may close until the process ends.
class HangUpWatchThread {
 public:
  static HangUpWatchThread& instance() {
    static HangUpWatchThread* thread = [] {
      call_in_forked_children([] {
        if (thread->is_used()) thread = new HangUpWatchThread;
      });
      return new HangUpWatchThread;
    }();
    return *thread;
  }

  bool watch(HangUpWatch& watch, int fd, HangUpWatch::Sleeper& sleeper) {
    const std::lock_guard lock(mutex_);
    if (watch.watching()) return true;
    if (!ready() || !(thread_.runs() || start())) return false;
    epoll_event event{};
    event.events = EPOLLRDHUP | EPOLLONESHOT;
    event.data.u64 = watch.serial_ = ++serial_;
    sleeping_.reserve(watched_.size() + 1);  // the thread allocates nothing
    watched_.emplace(watch.serial_, &watch);
    watch.fd_ = fd;
    watch.sleeper_ = &sleeper;
    if (::epoll_ctl(epoll_.fd(), EPOLL_CTL_ADD, fd, &event) != 0) {
      remove(watch);
      return false;
    }
    watch.watching_.store(true, std::memory_order_release);
    return true;
  }

  void forget(HangUpWatch& watch) {
    const std::lock_guard lock(mutex_);
    if (!watch.watching()) return;
    epoll_event unused{};
    ::epoll_ctl(epoll_.fd(), EPOLL_CTL_DEL, watch.fd_, &unused);
    watch.watching_.store(false, std::memory_order_release);
    remove(watch);
  }

  // In a forked child: whether the parent has a thread, which is not here, or another one of its threads has
  // the lock, which is never released here.
  bool is_used() {
    if (!mutex_.try_lock()) return true;
    mutex_.unlock();
    return thread_.runs();
  }

 private:
  static constexpr int again_after_ms = 5;

  bool ready() {
    if (epoll_.is_open() && wake_.is_open()) return true;
    epoll_ = Descriptor(::epoll_create1(EPOLL_CLOEXEC));
    wake_ = Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    epoll_event event{};
    event.events = EPOLLIN | EPOLLET;
    event.data.u64 = 0;
    return epoll_.is_open() && wake_.is_open() &&
           ::epoll_ctl(epoll_.fd(), EPOLL_CTL_ADD, wake_.fd(), &event) == 0;
  }

  bool start() {
    return thread_.start({.name = "takt-hang-up", .stack_bytes = 128 * 1024}, [this] { run(); });
  }

  void remove(HangUpWatch& watch) {
    watched_.erase(watch.serial_);
    std::erase(sleeping_, &watch);
    if (!watched_.empty()) return;
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(wake_.fd(), &one, sizeof one);
  }

  void run() {
    for (int patience = -1;;) {
      epoll_event event{};
      const int count = ::epoll_wait(epoll_.fd(), &event, 1, patience);
      const std::lock_guard lock(mutex_);
      if (count == 1) ended(event);
      for (auto one = sleeping_.begin(); one != sleeping_.end();)
        one = (*one)->sleeper_->on_end((*one)->end_) ? std::next(one) : sleeping_.erase(one);
      patience = sleeping_.empty() ? -1 : again_after_ms;
      if (!watched_.empty()) continue;
      thread_.ended();
      return;
    }
  }

  // The event may be the wake-up, or that of a forgotten socket.
  void ended(const epoll_event& event) {
    const auto found = watched_.find(event.data.u64);
    if (found == watched_.end()) return;
    HangUpWatch* const watch = found->second;
    const bool both = (event.events & (EPOLLHUP | EPOLLERR)) != 0;
    watch->end_ = both ? HangUpWatch::End::both : HangUpWatch::End::reading;
    std::erase(sleeping_, watch);
    if (watch->sleeper_->on_end(watch->end_)) sleeping_.push_back(watch);
    if (both) return;
    epoll_event rest{};  // reports the end of the other direction
    rest.events = EPOLLONESHOT;
    rest.data.u64 = watch->serial_;
    ::epoll_ctl(epoll_.fd(), EPOLL_CTL_MOD, watch->fd_, &rest);
  }

  PriorityMutex mutex_;
  Descriptor epoll_, wake_;
  std::unordered_map<std::uint64_t, HangUpWatch*> watched_;
  std::vector<HangUpWatch*> sleeping_;
  std::uint64_t serial_ = 0;
  WatchingThread thread_;
};

bool HangUpWatch::watch(int fd, Sleeper& sleeper) {
  return HangUpWatchThread::instance().watch(*this, fd, sleeper);
}

void HangUpWatch::forget() {
  if (watching()) HangUpWatchThread::instance().forget(*this);
}

}  // namespace takt::os
