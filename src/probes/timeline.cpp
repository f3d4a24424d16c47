#include "probes/timeline.h"

#include <algorithm>
#include <utility>

namespace takt::probes {

namespace {

constexpr std::size_t max_depth = 64;  // nested calls and upcalls

// The calls in which a thread is, outermost first.
class Stack {
 public:
  void take(const ProbeRecord& record) {
    if (record.step > Step::server_done) return;
    if (of_client(record.step))
      take_of_client(record);
    else
      take_of_server(record);
  }
  std::vector<ProbedCall> ended;

 private:
  void take_of_client(const ProbeRecord& record) {
    if (record.step == Step::client_get_reference) {
      // A call nested in the decoding of results is made by a value; any other nesting means that the outer
      // call never ended.
      if (inside(false) && step() != Step::client_demarshal) open_.pop_back();
      open(record, false);
    } else if (inside(false)) {
      next(record);
      if (record.step == Step::client_done) close(Step::client_io);
    }
  }

  void take_of_server(const ProbeRecord& record) {
    const bool begins =
        record.step == Step::server_io || (record.step == Step::server_messaging_receive &&
                                           (!inside(true) || open_.back().passed(Step::server_parse_key)));
    if (begins) {
      if (inside(true)) {  // it was a oneway
        end_step(record.time_ns);
        close(Step::server_parse_key);
      }
      open(record, true);
    } else if (inside(true)) {
      next(record);
      if (record.step == Step::server_done) close(Step::server_parse_key);
    }
  }

  bool inside(bool server) const { return !open_.empty() && open_.back().of_server == server; }
  Step step() const { return open_.back().steps.back().step; }

  void open(const ProbeRecord& record, bool server) {
    if (open_.size() == max_depth) open_.erase(open_.begin());
    open_.push_back(
        {.of_server = server, .thread = record.thread, .request_id = 0, .operation = {}, .steps = {}});
    next(record);
  }
  void end_step(std::int64_t now_ns) {
    if (!open_.back().steps.empty()) open_.back().steps.back().end_ns = now_ns;
  }
  void next(const ProbeRecord& record) {
    end_step(record.time_ns);
    ProbedCall& call = open_.back();
    if (record.operation_length != 0) {
      call.request_id = record.request_id;
      call.operation = record.operation_text();
    }
    if (record.step != Step::client_done && record.step != Step::server_done)
      call.steps.push_back({record.step, record.time_ns, record.time_ns});
  }
  // Records that did not reach the step `needed` are no call.
  void close(Step needed) {
    ProbedCall call = std::move(open_.back());
    open_.pop_back();
    if (call.passed(needed)) ended.push_back(std::move(call));
  }

  std::vector<ProbedCall> open_;
};

}  // namespace

bool ProbedCall::passed(Step step) const {
  return std::ranges::any_of(steps, [step](const Interval& interval) { return interval.step == step; });
}

[[gnu::cold]] std::vector<ProbedCall> calls_of(const std::vector<ProbeRecord>& records) {
  Stack stack;
  for (const ProbeRecord& record : records) stack.take(record);
  return std::move(stack.ended);
}

}  // namespace takt::probes
