// The requests that one side of a shared connection has sent and that have no reply yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <unordered_map>

#include "giop/limits.h"

namespace takt::giop {

// Keeps, for each outstanding request id, whom its reply is for. A caller that gives up leaves its id behind,
// since a reply may still come and must not be taken for a later request's. One thread at a time; a
// connection that one thread has to itself needs none of this. `Waiter` is a small value, such as a pointer.
template <class Waiter>
class RequestTable {
 public:
  enum class AddError : std::uint8_t { in_use, too_many };

  explicit RequestTable(const Limits& limits) : limit_(limits.outstanding_requests) {}

  std::expected<void, AddError> add(std::uint32_t request_id, Waiter waiter) {
    if (waiting_.size() >= limit_) return std::unexpected(AddError::too_many);
    if (!waiting_.try_emplace(request_id, Entry{waiter, false}).second)
      return std::unexpected(AddError::in_use);
    return {};
  }
  // The reply has come: whom it is for, or null if nobody waits for it any more. `known` tells whether there
  // was such a request at all.
  Waiter* take(std::uint32_t request_id, bool& known) {
    const auto found = waiting_.find(request_id);
    known = found != waiting_.end();
    if (!known) return nullptr;
    taken_ = found->second.waiter;
    const bool abandoned = found->second.abandoned;
    waiting_.erase(found);
    return abandoned ? nullptr : &taken_;
  }
  // Nobody waits any more; the id stays in use until its reply comes.
  void abandon(std::uint32_t request_id) {
    if (const auto found = waiting_.find(request_id); found != waiting_.end()) found->second.abandoned = true;
  }
  bool in_use(std::uint32_t request_id) const { return waiting_.contains(request_id); }
  std::size_t size() const { return waiting_.size(); }

  // The connection is over: visits each waiter once, and forgets all. After CloseConnection none of these
  // requests was begun and each may be made again; otherwise none may (CORBA 3.0.3, 15.5.1.1).
  template <class Visit>
  void drain(Visit&& visit) {
    auto waiting = std::move(waiting_);
    waiting_.clear();
    for (auto& [id, entry] : waiting)
      if (!entry.abandoned) visit(id, entry.waiter);
  }

 private:
  struct Entry {
    Waiter waiter;
    bool abandoned;
  };
  std::unordered_map<std::uint32_t, Entry> waiting_;
  std::size_t limit_;
  Waiter taken_{};
};

}  // namespace takt::giop
