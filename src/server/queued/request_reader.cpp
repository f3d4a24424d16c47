#include "server/queued/request_reader.h"

#include <algorithm>
#include <thread>

#include "os/threads/thread.h"

namespace takt::server {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using os::Interest;
using os::SharedPoll;

RequestReader::RequestReader(std::shared_ptr<Server> all, std::unique_ptr<SharedPoll> shared_poll,
                             const PoolThreads& like)
    : PoolState(std::move(all), std::move(shared_poll)), threads_(like) {
  if (delayed_.fd() >= 0) poll->add(delayed_.fd(), Interest::read, &delayed_, SharedPoll::Watching::once);
}

int RequestReader::start(const std::shared_ptr<void>& keeper) {
  keeper_ = keeper;
  const int error = start_thread(&RequestReader::read);
  return error || !guard_ ? error : start_thread(&RequestReader::guard_reader);
}

int RequestReader::start_thread(void (RequestReader::*body)()) {
  const auto count = [this](int by) {
    std::lock_guard lock(mutex);
    running_ += static_cast<unsigned>(by);
    changed.notify_all();
  };
  count(1);
  auto thread = os::Thread::start({.name = threads_.name, .stack_bytes = threads_.stack_bytes},
                                  [this, body, count, keeper = keeper_.lock()] {
                                    if (threads_.begin) threads_.begin();
                                    threads_.prepare();
                                    (this->*body)();
                                    count(-1);
                                  });
  if (!thread) {
    count(-1);
    return thread.error();
  }
  thread->detach();
  return 0;
}

void RequestReader::read() {
  if (guard_ && !guard_->take_place()) return;
  auto next_sweep = Clock::now() + sweep_interval;
  while (!stopping.load(std::memory_order_relaxed) && (!guard_ || guard_->in_place())) {
    const auto ready = poll->wait(sweep_interval);
    try {
      if (ready && ready->token) on_ready(ready->token, ready->interest);
      if (const auto now = Clock::now(); now >= next_sweep) {
        next_sweep = now + sweep_interval;
        if (!guard_ || guard_->in_place()) sweep();
      }
    } catch (const std::exception& failure) {  // the channels keep theirs
      tell_lost(failure, *server);
    }
  }
}

// Where no thread is to be had, it is tried again.
void RequestReader::guard_reader() {
  while (!stopping)
    if (guard_->wait_until_held_up()) start_thread(&RequestReader::read);
}

void RequestReader::watch(QueuedChannel& channel, Interest interest) {
  poll->again(channel.stream().native_handle(), interest, &channel, SharedPoll::Watching::once);
}

// One that ends meanwhile stays until then.
bool RequestReader::delay(QueuedChannel& channel, Clock::time_point until) {
  if (delayed_.fd() < 0) return false;
  delayed_.add(channel.shared_from_this(), until);
  return true;
}

// As if they could be written, so that the reader looks at each of them.
void RequestReader::read_on_where_due() {
  for (const auto& channel : delayed_.take_due(Clock::now()))
    watch(*channel, Interest::read | Interest::write);
  poll->again(delayed_.fd(), Interest::read, &delayed_, SharedPoll::Watching::once);
}

const RequestReader::Listening* RequestReader::listening_at(void* token) const {
  std::lock_guard lock(mutex);
  const auto found = std::ranges::find(listening_, token, [](const auto& one) { return one.get(); });
  return found == listening_.end() ? nullptr : found->get();
}

void RequestReader::on_ready(void* token, Interest interest) {
  if (token == &delayed_) return read_on_where_due();
  if (const Listening* listening = listening_at(token)) return accept(*listening);
  auto* const channel = static_cast<QueuedChannel*>(token);
  if (guard_) return on_ready_guarded(channel, interest);
  if (!channel->on_ready(interest)) end(*channel);
}

// Another reader may be in it, or have ended it since the poll gave it.
void RequestReader::on_ready_guarded(QueuedChannel* token, Interest interest) {
  std::shared_ptr<QueuedChannel> channel;
  {
    std::lock_guard lock(mutex);
    if (const auto found = serving.find(token); found != serving.end()) channel = found->second;
  }
  if (!channel || !guard_->enter(*channel)) return;
  const bool goes_on = channel->on_ready(interest);
  const bool again = guard_->leave(*channel);
  if (!goes_on)
    end(*channel);
  else if (again)
    watch(*channel, Interest::read | Interest::write);
}

void RequestReader::accept(const Listening& listening) {
  accept_all(
      *listening.acceptor,
      [&](auto stream, PeerConnections::Place place) {
        auto channel = std::make_shared<QueuedChannel>(
            std::move(stream), *server, *this,
            giop::Connection(giop::Connection::Role::server, *server->protocol.limits, listening.messaging,
                             server->protocol.methods_of(listening.messaging)));
        channel->keep(std::move(place));
        return channel;
      },
      [this](QueuedChannel& channel) {
        return poll->add(channel.stream().native_handle(), Interest::read, &channel,
                         SharedPoll::Watching::once);
      });
}

void RequestReader::end(QueuedChannel& channel) {
  channel.close();
  drop(channel, channel.stream().native_handle());
}

void RequestReader::sweep() {
  const auto now = Clock::now();
  std::vector<std::shared_ptr<QueuedChannel>> overdue;
  {
    std::lock_guard lock(mutex);
    for (auto& [key, channel] : serving) {
      if (guard_ && guard_->is_held(*channel)) continue;
      channel->give_back_memory(now);
      channel->stream().probe_silent_peer(now);
      if (channel->overdue(now)) overdue.push_back(channel);
    }
  }
  for (auto& channel : overdue) {
    if (channel->pending() == 0) channel->say_closed();
    end(*channel);
  }
}

void RequestReader::add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging) {
  acceptor->set_blocking(false);
  const int fd = acceptor->native_handle();
  std::lock_guard lock(mutex);
  auto listening = std::make_unique<Listening>(std::move(acceptor), messaging);
  if (!poll->add(fd, Interest::read, listening.get(), SharedPoll::Watching::always)) throw_cannot_watch();
  listening_.push_back(std::move(listening));
}

std::size_t RequestReader::connections() const {
  std::lock_guard lock(mutex);
  return serving.size();
}

bool RequestReader::admit(const std::shared_ptr<QueuedChannel>& channel) {
  std::lock_guard lock(mutex);
  if (closing || serving.size() >= server->options.connections) return false;
  auto place = peers.admit(channel->stream(), server->options.peer_connections);
  if (!place) return false;
  channel->keep(std::move(*place));
  serving.emplace(channel.get(), channel);
  return true;
}

// Also for writing, so that the reader looks at once for what workers may have found due before.
void RequestReader::begin_watching(QueuedChannel& channel) {
  if (!poll->add(channel.stream().native_handle(), Interest::read | Interest::write, &channel,
                 SharedPoll::Watching::once))
    end(channel);
}

// Upcalls in progress may wait for what their clients answer, which the reader must read for them.
void RequestReader::let_replies_come(Clock::time_point deadline) {
  const auto upcalls_wait = [this] {
    std::lock_guard lock(mutex);
    bool upcall = false, reply_due = false;
    for (auto& [key, channel] : serving) {
      channel->begin_no_more();
      upcall |= channel->pending() > 0;
      reply_due |= channel->waits_for_reply();
    }
    return upcall && reply_due;
  };
  while (upcalls_wait() && Clock::now() < deadline) std::this_thread::sleep_for(2ms);
}

bool RequestReader::stop_reading(Clock::time_point deadline) {
  if (!closing.exchange(true)) {
    for (auto& listening : listening_) stop_listening(*listening->acceptor, deadline);
    let_replies_come(deadline);
  }
  std::unique_lock lock(mutex);
  if (!stopping.exchange(true)) {
    poll->wake_permanently();
    if (guard_) guard_->over();
    changed.notify_all();
  }
  return changed.wait_until(lock, deadline, [this] { return running_ == 0; });
}

void RequestReader::cut() {
  std::lock_guard lock(mutex);
  for (auto& [key, channel] : serving) channel->stream().shut_down();
}

void RequestReader::close(bool orderly, Clock::time_point until) {
  std::vector<std::shared_ptr<QueuedChannel>> parted;
  std::vector<Parting> partings;
  {
    std::lock_guard lock(mutex);
    for (auto& [key, channel] : serving) {
      partings.push_back(channel->parting());
      parted.push_back(channel);
    }
    if (!orderly) return;
    serving.clear();
    listening_.clear();
  }
  part_from(partings, until);  // which may take long, and callers ask for connections meanwhile
}

}  // namespace takt::server
