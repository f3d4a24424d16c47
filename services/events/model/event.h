// An event on its way through a channel.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include <takt/corba.h>
#include <takt/invocation/prepared_call.h>

#include "CosEventCommC.h"
#include "octets/type_bytes.h"

namespace takt::events {

// Memory that the events of a service take. Thread-safe.
class Memory {
 public:
  explicit Memory(std::uint64_t limit_bytes) : limit_bytes_(limit_bytes) {}
  void take(std::uint64_t bytes) { used_bytes_.fetch_add(bytes, std::memory_order_relaxed); }
  void give_back(std::uint64_t bytes) { used_bytes_.fetch_sub(bytes, std::memory_order_relaxed); }
  std::uint64_t limit_bytes() const { return limit_bytes_; }
  bool is_full() const { return used_bytes() >= limit_bytes_; }
  std::uint64_t used_bytes() const { return used_bytes_.load(std::memory_order_relaxed); }

 private:
  const std::uint64_t limit_bytes_;
  std::atomic<std::uint64_t> used_bytes_{0};
};

// Shared by the queues of all consumers, and encoded once for all of them. Immutable.
class Event {
 public:
  using Push = PreparedCall<CosEventComm::PushConsumer, CosEventComm::PushConsumer::_operations::push>;

  Event(const CORBA::Any& data, Memory& memory)
      : data_(data), push_(data), bytes_(2 * octets::any_bytes(data) + overhead_bytes), memory_(memory) {
    memory_.take(bytes_);
  }
  ~Event() { memory_.give_back(bytes_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  const CORBA::Any& data() const { return data_; }
  // The arguments of push(), for calls that are sent together.
  const invocation::PreparedArguments& arguments() const { return push_.arguments(); }
  std::uint64_t bytes() const { return bytes_; }
  // Calls push() of the consumer. Blocks up to the reference's timeout.
  void push_to(const CORBA::object_reference<CosEventComm::PushConsumer>& consumer) const { push_(consumer); }

 private:
  static constexpr std::uint64_t overhead_bytes = 256;  // estimate of this object

  const CORBA::Any data_;
  const Push push_;
  const std::uint64_t bytes_;  // estimate: the value and its type, as they are held and as they are sent
  Memory& memory_;
};

using EventPtr = std::shared_ptr<const Event>;

}  // namespace takt::events
