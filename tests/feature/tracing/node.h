// A servant that tells which trace its requests belong to.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <takt/async/pending.h>
#include <takt/tracing/tracing.h>

#include "orb_pair.h"
#include "tracingS.h"

namespace feature {

using NodeRef = IDL::traits<Traced::Node>::ref_type;

inline std::string where() {
  const auto context = takt::tracing::current();
  return context ? context->traceparent() + " " + std::string(context->tracestate()) : std::string();
}

class NodeServant : public CORBA::servant_traits<Traced::Node>::base_type {
 public:
  std::string where() override { return feature::where(); }
  std::string where_beyond(NodeRef next) override { return feature::where() + "\n" + next->where(); }
  std::string where_after(NodeRef next) override {
    return feature::where() + "\n" + next->async_where().future().get();
  }
  void note() override {
    const std::lock_guard lock(mutex_);
    noted_ = feature::where();
    has_noted_ = true;
    changed_.notify_all();
  }
  std::string noted() override {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(20), [&] { return has_noted_; });
    has_noted_ = false;
    return std::exchange(noted_, {});
  }
  void refuse() override { throw CORBA::NO_PERMISSION(); }
  void nothing() override {}

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool has_noted_ = false;
  std::string noted_;
};

inline std::string trace_of(const std::string& where) {
  return where.size() < 55 ? "none" : where.substr(3, 32);
}
inline std::string span_of(const std::string& where) {
  return where.size() < 55 ? "none" : where.substr(36, 16);
}

inline std::pair<std::string, std::string> lines_of(const std::string& text) {
  const auto end = text.find('\n');
  return {text.substr(0, end), end == std::string::npos ? std::string("no line") : text.substr(end + 1)};
}

}  // namespace feature
