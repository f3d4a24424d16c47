// Converting records of time probes to calls, a table and a trace.
#include <gtest/gtest.h>

#include <bit>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "probes/probe_log.h"
#include "probes/step_table.h"
#include "probes/timeline.h"
#include "probes/trace.h"

namespace {

using takt::Step;
using takt::probes::calls_of;
using takt::probes::ProbeLog;
using takt::probes::ProbeRecord;

constexpr Step client_steps[] = {Step::client_get_reference,     Step::client_initialize,
                                 Step::client_messaging_send,    Step::client_marshal,
                                 Step::client_transport_send,    Step::client_io,
                                 Step::client_transport_receive, Step::client_messaging_receive,
                                 Step::client_demarshal,         Step::client_done};
constexpr Step server_steps[] = {Step::server_io,
                                 Step::server_transport_receive,
                                 Step::server_messaging_receive,
                                 Step::server_parse_key,
                                 Step::server_servant_demux,
                                 Step::server_poa_demux,
                                 Step::server_operation_demux,
                                 Step::server_upcall,
                                 Step::server_messaging_send,
                                 Step::server_transport_send,
                                 Step::server_done};

// Records at intervals of a nanosecond.
class Records {
 public:
  Records& add(Step step, std::string_view operation = {}) {
    ProbeRecord record;
    record.time_ns = now_++;
    record.step = step;
    record.thread = 7;
    record.request_id = operation.empty() ? 0 : 42;
    record.operation_length = static_cast<std::uint8_t>(operation.copy(record.operation.data(), 24));
    all_.push_back(record);
    return *this;
  }
  template <std::size_t N>
  Records& add(const Step (&steps)[N], std::string_view operation) {
    for (const Step step : steps)
      add(step, step == Step::client_messaging_send || step == Step::server_parse_key ? operation
                                                                                      : std::string_view());
    return *this;
  }
  const std::vector<ProbeRecord>& all() const { return all_; }

 private:
  std::int64_t now_ = 100;
  std::vector<ProbeRecord> all_;
};

TEST(Timeline, ACallIsItsStepsFromBeginningToEnd) {
  const auto calls = calls_of(Records().add(client_steps, "cube").all());
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_FALSE(calls[0].of_server);
  EXPECT_EQ(calls[0].operation, "cube");
  EXPECT_EQ(calls[0].request_id, 42u);
  ASSERT_EQ(calls[0].steps.size(), 9u);
  EXPECT_EQ(calls[0].begin_ns(), 100);
  EXPECT_EQ(calls[0].end_ns(), 109);
  for (const auto& step : calls[0].steps) EXPECT_EQ(step.end_ns - step.begin_ns, 1);
}

TEST(Timeline, ACallInAnUpcallIsACallOfItsOwnAndCountsInTheUpcallToo) {
  Records records;
  for (const Step step : server_steps) {
    records.add(step, step == Step::server_parse_key ? "outer" : "");
    if (step == Step::server_upcall) records.add(client_steps, "inner");
  }
  const auto calls = calls_of(records.all());
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].operation, "inner");
  EXPECT_EQ(calls[1].operation, "outer");
  ASSERT_EQ(calls[1].steps.size(), 10u);
  EXPECT_EQ(calls[1].steps[7].step, Step::server_upcall);
  EXPECT_EQ(calls[1].steps[7].end_ns - calls[1].steps[7].begin_ns, 11);
}

TEST(Timeline, ACallThatFoundNoConnectionIsNone) {
  Records records;
  records.add(Step::client_get_reference).add(Step::client_done).add(client_steps, "next");
  ASSERT_EQ(calls_of(records.all()).size(), 1u);
}

TEST(Timeline, AOnewayRequestEndsWhereTheNextBegins) {
  Records records;
  for (const Step step : server_steps)
    if (step < Step::server_messaging_send) records.add(step, step == Step::server_parse_key ? "first" : "");
  records.add(Step::server_messaging_receive).add(Step::server_parse_key, "second");
  records.add(Step::server_upcall).add(Step::server_transport_send).add(Step::server_done);
  const auto calls = calls_of(records.all());
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].operation, "first");
  EXPECT_EQ(calls[1].operation, "second");
}

// The oldest records in a ring may begin anywhere in a call, and a record that was being overwritten may have
// any content.
TEST(Timeline, RecordsThatDoNotGoTogetherArePassedOver) {
  Records records;
  records.add(Step::client_demarshal).add(Step::client_done).add(Step::server_upcall).add(Step::server_done);
  records.add(std::bit_cast<Step>(std::uint8_t{200}));
  for (int i = 0; i < 1000; ++i) records.add(Step::server_io).add(Step::client_get_reference);
  EXPECT_TRUE(calls_of(records.all()).empty());
  records.add(client_steps, "good");
  EXPECT_EQ(calls_of(records.all()).size(), 1u);
}

TEST(StepTable, TheStepsOfEachSideAddUpToTheWhole) {
  Records records;
  records.add(client_steps, "a").add(client_steps, "b").add(server_steps, "c");
  const auto sides = takt::probes::figures_of(calls_of(records.all()));
  ASSERT_EQ(sides.size(), 2u);
  EXPECT_EQ(sides[0].calls, 2u);
  EXPECT_EQ(sides[0].steps.size(), 9u);
  EXPECT_DOUBLE_EQ(sides[0].sum_ns, 9);
  EXPECT_EQ(sides[1].calls, 1u);
  EXPECT_EQ(sides[1].steps.size(), 10u);
  EXPECT_DOUBLE_EQ(sides[1].sum_ns, 10);
  const std::string table = takt::probes::step_table(sides);
  EXPECT_NE(table.find("operation demux"), std::string::npos) << table;
}

TEST(Trace, AnOperationsNameCannotBreakTheTrace) {
  std::ostringstream out;
  takt::probes::write_trace(out, calls_of(Records().add(client_steps, "a\"},\\\n\x80").all()), 1, "takt");
  EXPECT_NE(out.str().find(R"("a?},???")"), std::string::npos) << out.str();
}

TEST(ProbeLog, KeepsTheNewestRecordsOfEachThread) {
  const auto log = std::make_shared<ProbeLog>(16);
  for (std::uint32_t i = 0; i < 20; ++i) log->begin(Step::client_messaging_send, i, "operation");
  std::thread([&] { log->begin(Step::server_io); }).join();
  std::thread([&] { log->begin(Step::server_io); }).join();  // reuses the ring of the ended thread
  EXPECT_EQ(log->records_replaced(), 4u);
  const auto rings = log->stop();
  log->begin(Step::client_done);
  ASSERT_EQ(rings.size(), 2u);
  ASSERT_EQ(rings[0].size(), 16u);
  EXPECT_EQ(rings[0].front().request_id, 4u);
  EXPECT_EQ(rings[0].back().operation_text(), "operation");
  ASSERT_EQ(rings[1].size(), 2u);
  EXPECT_NE(rings[1][0].thread, rings[1][1].thread);
  EXPECT_EQ(log->stop()[0].size(), 16u);
}

}  // namespace
