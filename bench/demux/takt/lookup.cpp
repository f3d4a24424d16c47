// bench_takt_demux_lookup --strategy S --operations N --depth N --servants N,N,... --orders A,B
//   [--budget SECONDS] [--counts CALLS,CALLS]
//
// Measures demultiplexing alone: passes prepared requests to the object adapter's dispatch(), which finds
// adapter, servant and operation and calls the servant, whose operations are empty. The requests expect no
// reply. The cost of passing as many requests to a dispatcher that does nothing is subtracted. With the
// strategy `handles`, each request has a number in the table of its connection, and the cost includes that of
// finding its names there.
//
// With --counts, under callgrind, does not measure time. Instead it dumps callgrind's counts after either
// number of calls, for three dispatchers: the real one, one that makes the upcall without looking anything
// up, and the empty one.
#include <malloc.h>
#include <time.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else  // callgrind's counts are not available
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(name)
#endif

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <utility>

#include "adapter/poa/upcall.h"
#include "adapter/upcalls/object_adapter.h"
#include "common/options.h"
#include "common/record.h"
#include "common/serve.h"
#include "common/workload.h"
#include "demux/workload.h"
#include "giop/lite/server_names.h"
#include "nest.h"
#include "reference/object_ref.h"
#include "servants.h"
#include "thousand.h"

namespace {

using bench::Call;
using bench::check;
using bench::Clock;
using takt::server::Dispatcher;

struct Core final {
  takt::giop::ProtocolOptions protocol;
  takt::reference::ConnectionOptions connections;
  takt::reference::References references{protocol, connections};
  takt::server::Server server{protocol, connections};
  takt::adapter::ObjectAdapter adapter{references, server};
};

struct NobodyHome final : Dispatcher {
  void dispatch(takt::server::ServerCall&) noexcept override {}
  takt::reference::LocateAnswer locate(takt::ByteView) noexcept override { return {}; }
  takt::reference::LocalAnswer call_local(const takt::OperationId&, void*, const takt::ByteView&) override {
    return takt::reference::LocalAnswer::by_wire;
  }
};

// Knows without a lookup that the request is for the first operation of its servant.
struct NobodyAsks final : Dispatcher {
  void dispatch(takt::server::ServerCall& call) noexcept override {
    const takt::adapter::UpcallFrame upcall(nullptr, call.object_key());
    constexpr auto operation =
        takt::adapter::entry<Demux::POA::Operations1, Demux::Operations1::_operations::operation_00,
                             Demux::POA::Operations1, &Demux::POA::Operations1::operation_00>();
    Demux::POA::Operations1& called = *servant;
    operation.from_wire(&called, call);
  }
  takt::reference::LocateAnswer locate(takt::ByteView) noexcept override { return {}; }
  takt::reference::LocalAnswer call_local(const takt::OperationId&, void*, const takt::ByteView&) override {
    return takt::reference::LocalAnswer::by_wire;
  }
  CORBA::servant_reference<CORBA::servant_traits<Demux::Operations1>::base_type> servant =
      CORBA::make_reference<Demuxed<1>::Servant>(0u);
};

// The numbers of keys and operations, in as many connections' tables as they need.
class Numbers {
 public:
  struct Place {
    const takt::giop::lite::ServerNames* table;
    std::uint16_t number;
  };

  Place place_of(const Call& call, takt::ByteView key, std::string_view operation) {
    const auto [at, is_new] = places_.try_emplace({call.object, call.operation});
    if (is_new) {
      const std::size_t number = (places_.size() - 1) % takt::giop::lite::max_names;
      if (number == 0) tables_.push_back(std::make_unique<takt::giop::lite::ServerNames>());
      at->second = {tables_.back().get(), static_cast<std::uint16_t>(number)};
      check(tables_.back()->learn(at->second.number, key, operation), "a number was not learnt");
    }
    return at->second;
  }

 private:
  std::vector<std::unique_ptr<takt::giop::lite::ServerNames>> tables_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Place> places_;
};

// The requests of one measurement in the order of the calls, laid out as in a connection's buffer.
class Requests {
 public:
  explicit Requests(bool by_handle) : by_handle_(by_handle) {}

  void add(takt::ByteView key, const Call& call) {
    const std::string digits = std::to_string(call.operation);
    const std::string name = "operation_" + std::string(digits.size() < 2 ? "0" : "") + digits;
    requests_.push_back({octets_.size(), key.size(), name.size(), call,
                         by_handle_ ? numbers_.place_of(call, key, name) : Numbers::Place{}});
    octets_.insert(octets_.end(), key.begin(), key.end());
    octets_.insert(octets_.end(), name.begin(), name.end());
  }
  std::size_t size() const { return requests_.size(); }

  // Dispatches the first `count` requests.
  void send(Dispatcher& dispatcher, std::size_t count) const {
    if (by_handle_)
      for (std::size_t i = 0; i < count; ++i) send_number(dispatcher, requests_[i]);
    else
      send_names(dispatcher, count);
  }
  // The same without their numbers.
  void send_names(Dispatcher& dispatcher, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) send_one(dispatcher, requests_[i]);
  }
  // Checks that each request reaches its target.
  void verify(Dispatcher& dispatcher, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) {
      reached = {~0u, ~0u};
      if (by_handle_)
        send_number(dispatcher, requests_[i]);
      else
        send_one(dispatcher, requests_[i]);
      check(reached.object == requests_[i].call.object && reached.operation == requests_[i].call.operation,
            "a request reached another object or operation");
    }
  }

 private:
  struct Request {
    std::size_t at, key_size, name_size;
    Call call;
    Numbers::Place place;
  };

  // Not inlined, so that the compiler does not know the dispatcher.
  [[gnu::noinline]] void send_one(Dispatcher& dispatcher, const Request& request) const {
    const std::uint8_t* key = octets_.data() + request.at;
    takt::server::ServerCall call(
        {.response_expected = false,
         .object_key = {key, request.key_size},
         .operation = {reinterpret_cast<const char*>(key) + request.key_size, request.name_size}},
        {}, 0, {}, reply_);
    dispatcher.dispatch(call);
  }
  [[gnu::noinline]] void send_number(Dispatcher& dispatcher, const Request& request) const {
    const auto* const names = request.place.table->find(request.place.number);
    if (!names) throw std::runtime_error("a number has no meaning");
    takt::server::ServerCall call(
        {.response_expected = false, .object_key = names->object_key, .operation = names->operation}, {}, 0,
        {}, reply_);
    dispatcher.dispatch_by_handle(call, names->handle);
  }

  const bool by_handle_;
  Numbers numbers_;
  std::vector<std::uint8_t> octets_;
  std::vector<Request> requests_;
  mutable takt::GatherBuffer reply_;
};

// Processor time of the thread, without that of others on its core.
double own_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double heap_bytes() {
  const auto heap = ::mallinfo2();
  return static_cast<double>(heap.uordblks + heap.hblkhd);
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream in(list);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

class Measurement {
 public:
  explicit Measurement(const bench::Options& options)
      : strategy_(options.text("strategy", "delayered")),
        operations_(static_cast<std::size_t>(options.number("operations", 1))),
        depth_(static_cast<std::size_t>(options.number("depth", 1))),
        budget_(options.number("budget", 0.05)),
        orders_(split(options.text("orders", "train,round-robin,random,worst"))),
        core_(std::make_shared<Core>()) {
    for (const auto& count : split(options.text("counts"))) counts_.push_back(std::stoul(count));
    core_->references.become_part_of(core_);
    core_->server.become_part_of(core_);
    core_->server.dispatcher = &core_->adapter;
    root_ = core_->adapter.tree().root()->reference();
    root_->the_POAManager()->activate();
  }
  ~Measurement() { core_->adapter.tree().shut_down(false); }
  Measurement(const Measurement&) = delete;
  Measurement& operator=(const Measurement&) = delete;

  template <std::size_t Operations>
  void run(std::size_t objects) {
    std::vector<CORBA::servant_reference<typename Demuxed<Operations>::Servant>> servants(objects);
    for (std::size_t i = 0; i < objects; ++i)
      servants[i] =
          CORBA::make_reference<typename Demuxed<Operations>::Servant>(static_cast<std::uint32_t>(i));
    Nest nest(root_, strategy_, depth_, objects);
    std::vector<PortableServer::ObjectId> ids(objects, PortableServer::ObjectId(14));  // room for any of them
    const double before = heap_bytes();
    const auto start = Clock::now();
    for (std::size_t i = 0; i < objects; ++i) {
      const auto id = nest.activate(i, servants[i]);
      ids[i].assign(id.begin(), id.end());
    }
    const double seconds = bench::seconds_of(Clock::now() - start);
    if (counts_.empty())
      row(objects, "activation")
          .number("seconds_per_million", seconds * 1e6 / static_cast<double>(objects))
          .number("bytes_each", (heap_bytes() - before) / static_cast<double>(objects))
          .print();
    servants.clear();  // now only the adapter owns the servants
    for (const auto& order : orders_) measure(nest, ids, objects, order);
    nest.destroy();
  }

 private:
  static constexpr std::size_t most_requests = 100000;

  bench::Record row(std::size_t objects, const std::string& order) const {
    bench::Record record("takt", "none", "demux");
    record.text("strategy", strategy_)
        .number("servants", static_cast<double>(objects))
        .number("operations", static_cast<double>(operations_))
        .number("depth", static_cast<double>(depth_))
        .text("order", order);
    return record;
  }

  void measure(const Nest& nest, const std::vector<PortableServer::ObjectId>& ids, std::size_t objects,
               const std::string& order) {
    const std::size_t length = counts_.empty() ? most_requests : *std::ranges::max_element(counts_);
    Requests requests(strategy_ == "handles");
    std::vector<takt::adapter::ObjectId> keys(objects);
    for (const Call& call : bench::make_calls(order, objects, operations_, length)) {
      auto& key = keys[call.object];
      if (key.empty()) {
        const auto reference = nest.reference(ids[call.object]);
        const auto local = reference->_ref()->local_key();
        key.assign(local.begin(), local.end());
      }
      requests.add(key, call);
    }
    // The first request with a number looks its names up.
    requests.verify(core_->adapter, counts_.empty() ? std::min<std::size_t>(length, 100) : length);
    if (counts_.empty())
      measure_time(requests, objects, order);
    else
      count_instructions(requests, objects, order);
  }

  // Dispatches as many requests as the budget allows, five times, and reports the median.
  void measure_time(const Requests& requests, std::size_t objects, const std::string& order) {
    constexpr int rounds = 5;
    std::size_t count = std::min<std::size_t>(requests.size(), 64);
    const double each = seconds_each([&](std::size_t n) { requests.send(core_->adapter, n); }, count);
    count = std::clamp<std::size_t>(static_cast<std::size_t>(budget_ / each), count, requests.size());
    requests.send(core_->adapter, count);
    std::vector<double> ns;
    for (int round = 0; round < rounds; ++round) {
      const double nobody = seconds_each([&](std::size_t n) { requests.send_names(nobody_, n); }, count);
      const double all = seconds_each([&](std::size_t n) { requests.send(core_->adapter, n); }, count);
      ns.push_back((all - nobody) * 1e9);
    }
    std::ranges::sort(ns);
    row(objects, order).number("n", static_cast<double>(count)).number("ns", ns[rounds / 2]).print();
  }
  template <class Send>
  static double seconds_each(Send send, std::size_t count) {
    const double start = own_seconds();
    send(count);
    return (own_seconds() - start) / static_cast<double>(count);
  }

  void count_instructions(const Requests& requests, std::size_t objects, const std::string& order) {
    row(objects, order).print();
    Requests same(false);
    const std::vector<std::uint8_t> any_key(32);
    for (std::size_t i = 0; i < requests.size(); ++i) same.add(any_key, {0, 0});
    const auto count = [&](auto send) {
      for (const std::size_t number : counts_) {
        CALLGRIND_START_INSTRUMENTATION;
        CALLGRIND_ZERO_STATS;
        send(number);
        CALLGRIND_DUMP_STATS_AT("demux");
        CALLGRIND_STOP_INSTRUMENTATION;
      }
    };
    count([&](std::size_t number) { requests.send(core_->adapter, number); });
    count([&](std::size_t number) { same.send(known_, number); });
    count([&](std::size_t number) { requests.send_names(nobody_, number); });
  }

  const std::string strategy_;
  const std::size_t operations_, depth_;
  const double budget_;  // seconds for each round
  const std::vector<std::string> orders_;
  std::vector<std::size_t> counts_;
  std::shared_ptr<Core> core_;
  NobodyHome nobody_;
  NobodyAsks known_;
  CORBA::object_reference<PortableServer::POA> root_;
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_takt_demux_lookup", [&] {
    const bench::Options options(argc, argv);
    Measurement measurement(options);
    const auto operations = static_cast<std::size_t>(options.number("operations", 1));
    for (const auto& objects : split(options.text("servants", "1"))) {
      if (operations == 1000)
        measurement.run<1000>(std::stoul(objects));
      else
        bench::with_operations(
            operations, [&]<std::size_t Operations> { measurement.run<Operations>(std::stoul(objects)); });
    }
  });
}
