// The dispatchers that each request of an ORB passes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "server/dispatcher.h"

namespace takt::server {

// A dispatcher before another one, to which it hands on what is none of its business.
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

// Put together before the first request; one thread at a time.
class Pipeline {
 public:
  // In the order in which a request passes them, and before the adapter.
  enum class Place : std::uint8_t {
    relay,      // a bridge: what is for servers behind it goes no further
    schedule,   // the run-time scheduler: rates, budgets and deadlines of operations
    measuring,  // how long executions take
  };

  // Both outlive the requests. `changed` is told of the outermost dispatcher, now and whenever it is another.
  void begin(Dispatcher& adapter, std::function<void(Dispatcher&)> changed);
  // Null: nobody stands there.
  void put(Place place, Stage* stage);

 private:
  void link();

  Dispatcher* adapter_ = nullptr;
  std::function<void(Dispatcher&)> changed_;
  std::array<Stage*, 3> stages_{};
};

}  // namespace takt::server
