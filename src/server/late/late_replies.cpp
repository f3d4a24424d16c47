#include "server/late/late_replies.h"

#include <chrono>
#include <mutex>
#include <new>
#include <utility>

#include "giop/header/message_header.h"
#include "server/late/late_writer.h"
#include "server/reports.h"

namespace takt::server {

std::shared_ptr<LateSender> LateReplies::make(WriteBuffer& out, transport::Stream& stream, Server& server) {
  return std::make_shared<LateReplies>(out, stream, server);
}

LateReplies::LateReplies(WriteBuffer& out, transport::Stream& stream, Server& server)
    : LateSender(server.options.longest_reply), out_(&out), stream_(stream), server_(server) {
  out.share(*this);
}

LateSender::Begun LateReplies::begin(LateTicket& ticket) {
  std::lock_guard lock(mutex);
  if (!out_) return Begun::over;
  if (due_.load(std::memory_order_relaxed) >= most_due) return Begun::too_many;
  if (ticket.giop_minor < 2) {
    in_order_.emplace_back();
    ticket.place = first_place_ + in_order_.size() - 1;
  }
  due_.fetch_add(1, std::memory_order_relaxed);
  server_.due_answers.add();
  return Begun::due;
}

void LateReplies::send(const LateTicket& ticket, GatherBuffer* reply) noexcept {
  std::lock_guard lock(mutex);
  if (!out_) return;
  bool sent = false;
  try {
    if (!reply) throw std::bad_alloc();  // thus the answer was not made
    giop::finish_message(*reply);
    sent = ticket.giop_minor < 2 ? send_in_order(ticket, *reply)
           : in_order_.empty()   ? out_->send_locked(*reply)
                                 : hold(in_order_.emplace_back(), *reply);
  } catch (const std::exception& failure) {
    report_lost(failure, server_);
  }
  due_.fetch_sub(1, std::memory_order_relaxed);
  server_.due_answers.remove(1);
  if (sent)
    note_kept();
  else
    fail();
}

bool LateReplies::send(GatherBuffer& message) {
  std::lock_guard lock(mutex);
  return in_order_.empty() ? out_->send_locked(message) : hold(in_order_.emplace_back(), message);
}

bool LateReplies::send_in_order(const LateTicket& ticket, GatherBuffer& reply) {
  return hold(in_order_[ticket.place - first_place_], reply) && send_held();
}

// False: too much waits, and the connection is over.
bool LateReplies::hold(Place& place, GatherBuffer& message) {
  held_bytes_ += message.size();
  if (held_bytes_ > 2 * server_.protocol.limits->message_bytes) return false;
  place.octets = message.copy();
  place.is_due = false;
  message.clear();
  return true;
}

// Sends the messages for which no earlier answer is due.
bool LateReplies::send_held() {
  while (!in_order_.empty() && !in_order_.front().is_due) {
    const std::vector<std::uint8_t> octets = std::move(in_order_.front().octets);
    in_order_.pop_front();
    ++first_place_;
    held_bytes_ -= octets.size();
    GatherBuffer message(octets.size());
    message.append(octets.data(), octets.size());
    if (!out_->send_locked(message)) return false;
  }
  return true;
}

// Leaves kept octets to the writer.
void LateReplies::note_kept() {
  if (!out_->waiting() || is_watched_) return;
  try {
    const auto writer = LateWriter::of(server_);
    is_watched_ = writer && writer->take(shared_from_this());
  } catch (const std::exception& failure) {
    report_lost(failure, server_);
  }
  if (!is_watched_) fail();
}

// The connection's own thread finds the end.
void LateReplies::fail() noexcept {
  if (out_ && out_->out_of_memory()) report_not_taken(server_);
  stream_.shut_down();
}

bool LateReplies::write_on(os::SharedPoll& poll) noexcept {
  std::unique_lock lock(mutex);
  try {
    if (out_ && out_->waiting()) {
      const auto flushed = out_->flush_locked();
      const bool late =
          flushed == WriteBuffer::Flushed::some && out_->overdue_locked(std::chrono::steady_clock::now());
      if (flushed == WriteBuffer::Flushed::some && !late) {
        const int fd = stream_.native_handle();
        const auto once = os::SharedPoll::Watching::once;
        if (!poll.again(fd, out_->waits_for(), this, once)) poll.add(fd, out_->waits_for(), this, once);
        return true;
      }
      if (flushed != WriteBuffer::Flushed::all) fail();
    }
  } catch (const std::exception& failure) {
    report_lost(failure, server_);
    fail();
  }
  is_watched_ = false;
  return false;
}

void LateReplies::end() noexcept {
  std::lock_guard lock(mutex);
  out_ = nullptr;
  in_order_.clear();
  server_.due_answers.remove(due_.exchange(0));
}

}  // namespace takt::server
