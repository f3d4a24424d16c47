// The order in which observers stand around a stream.
#include "transport/stream_observers.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include <takt/transport/wrapped_stream.h>

#include "../rooms/memory_stream.h"

namespace takt::transport {
namespace {

class Named final : public WrappedStream {
 public:
  Named(std::string name, std::unique_ptr<Stream> inner)
      : WrappedStream(std::move(inner)), name_(std::move(name)) {}
  std::string describe() const override { return name_ + '(' + inner_->describe() + ')'; }

 private:
  const std::string name_;
};

class SilentLog final : public EventLog {
 public:
  void write(const LogLine&) noexcept override {}
};

StreamObservers::Wrap named(std::string name) {
  return [name = std::move(name)](std::unique_ptr<Stream> stream, OpenedBy opened_by) {
    return std::make_unique<Named>(name + (opened_by == OpenedBy::us ? " ours" : ""), std::move(stream));
  };
}

std::string all_around(const StreamObservers& observers, OpenedBy opened_by) {
  rooms::Wire wire;
  auto stream = observers.observed(std::make_unique<rooms::MemoryStream>(wire), opened_by);
  return observers.probed(std::move(stream), opened_by)->describe();
}

TEST(StreamObservers, StandInOneOrderAtBothEnds) {
  StreamObservers observers;
  observers.probe = named("probe");
  observers.trace = named("trace");
  observers.wrap = named("wrap");
  observers.log = std::make_shared<SilentLog>();
  observers.log->set_level(LogLevel::trace);
  EXPECT_EQ(all_around(observers, OpenedBy::peer), "probe(trace(wrap(memory)))");
  EXPECT_EQ(all_around(observers, OpenedBy::us), "probe ours(trace ours(wrap ours(memory)))");
}

TEST(StreamObservers, LogMessagesOnlyWhileTheLogTakesThem) {
  StreamObservers observers;
  observers.trace = named("trace");
  EXPECT_EQ(all_around(observers, OpenedBy::us), "memory");
  observers.log = std::make_shared<SilentLog>();
  observers.log->set_level(LogLevel::warning);
  EXPECT_EQ(all_around(observers, OpenedBy::us), "memory");
  EXPECT_EQ(all_around(observers, OpenedBy::peer), "memory");
}

}  // namespace
}  // namespace takt::transport
