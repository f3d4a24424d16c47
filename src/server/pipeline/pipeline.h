// The chain of dispatchers that each request of an ORB passes through.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "server/pipeline/dispatcher.h"

namespace takt::server {

// A dispatcher that passes requests on to the next dispatcher, unless it handles them itself.
class Stage : public Dispatcher {
 public:
  reference::LocateAnswer locate(ByteView object_key) noexcept override { return next_->locate(object_key); }
  reference::LocalAnswer call_local(const OperationId& operation, void* arguments,
                                    const ByteView& object_key) override {
    return next_->call_local(operation, arguments, object_key);
  }

 protected:
  Dispatcher& next() const { return *next_; }

 private:
  friend class Pipeline;
  Dispatcher* next_ = nullptr;
};

// Assembled before the first request. One thread at a time.
class Pipeline {
 public:
  // In the order in which a request passes them; the adapter is last.
  enum class Place : std::uint8_t {
    relay,         // a bridge: handles the requests for the servers behind it
    tracing,       // spans of requests
    interceptors,  // the application's interceptors of requests
    schedule,      // the run-time scheduler: rates, budgets and deadlines of operations
    measuring,     // measures execution times
    reply_limit,   // refuses long replies
  };

  // Sets the last dispatcher, which must outlive all requests. `changed` is called with the first dispatcher,
  // now and whenever it changes.
  void begin(Dispatcher& adapter, std::function<void(Dispatcher&)> changed);
  // Sets another last dispatcher in place of that of begin().
  void replace_last(Dispatcher& last);
  // Null removes the stage at that place. A stage must outlive all requests.
  void put(Place place, Stage* stage);
  bool has(Place place) const { return stages_[static_cast<std::size_t>(place)] != nullptr; }

 private:
  void link();

  Dispatcher* adapter_ = nullptr;
  std::function<void(Dispatcher&)> changed_;
  std::array<Stage*, 6> stages_{};
};

}  // namespace takt::server
