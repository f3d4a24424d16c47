// bench_schedule_overload_machine ORDER LOAD SECONDS: as bench_schedule_overload, but on this machine: a
// server with one worker thread and a queue in that order, and a client that sends each job as a oneway when
// it is due. Prints a line of JSON.
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "common/serve.h"
#include "common/wake_at.h"
#include "schedule/lane_server.h"

namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using Clock = std::chrono::steady_clock;
using Done = std::array<std::atomic<std::int64_t>, 2>;  // critical jobs, other jobs

// Five times as long as there. The system's throttling of real-time threads, 50 ms per second, thus makes no
// critical job late.
constexpr auto critical_period = 200ms, critical_execution = 60ms, other_period = 100ms;
constexpr int others = 4;

// Applies to the calling thread and the threads it starts. Without the privilege, they run as ordinary
// threads.
bool run_at(int priority) {
  const sched_param wanted{.sched_priority = priority};
  return ::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &wanted) == 0;
}
constexpr int sending = 41, working = 40;  // threads that send and read preempt the workers

// Counts the jobs that end in time.
class Jobs final : public virtual CORBA::servant_traits<Bench::Overloaded>::base_type {
 public:
  Jobs(nanoseconds other_execution, Done& in_time) : other_(other_execution), in_time_(in_time) {}
  void critical(std::uint64_t due) override { run(due, critical_execution, critical_period, in_time_[0]); }
  void other(std::uint64_t due) override { run(due, other_, other_period, in_time_[1]); }

 private:
  static void run(std::uint64_t due, nanoseconds execution, nanoseconds period,
                  std::atomic<std::int64_t>& in_time) {
    thread_local const bool at_work = take_processor();
    (void)at_work;
    for (const auto end = bench::processor_time() + execution; bench::processor_time() < end;) {
    }
    if (Clock::now().time_since_epoch() <= nanoseconds(due) + period) ++in_time;
  }
  static bool take_processor() {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(bench::processors().server, &one);
    ::pthread_setaffinity_np(::pthread_self(), sizeof one, &one);
    return run_at(working);
  }

  const nanoseconds other_;
  Done& in_time_;
};

bench::Orb make_orb(std::vector<std::string> options, const char* name) {
  options.insert(options.begin(), "bench");
  std::vector<char*> argv;
  for (auto& option : options) argv.push_back(option.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(options.size());
  return CORBA::ORB_init(argc, argv.data(), name);
}

struct Sent {
  std::atomic<std::int64_t> critical = 0, other = 0;
};

// Each task has a thread, and therefore a connection, of its own: an ORB stops reading from a connection with
// too many waiting requests, which would hold back urgent ones too. All are released together at first;
// returns when the last are due.
void send_jobs(const IDL::traits<Bench::Overloaded>::ref_type& jobs, nanoseconds length, Sent& sent) {
  const auto first = Clock::now() + 300ms;
  const auto each = [&](nanoseconds period, void (Bench::Overloaded::*job)(std::uint64_t),
                        std::atomic<std::int64_t>& count) {
    for (auto due = first; due + critical_period <= first + length; due += period, ++count) {
      bench::wake_at(due);
      ((*jobs).*job)(static_cast<std::uint64_t>(nanoseconds(due.time_since_epoch()).count()));
    }
    bench::wake_at(first + length);
  };
  std::vector<std::jthread> tasks;
  tasks.emplace_back([&] { each(critical_period, &Bench::Overloaded::critical, sent.critical); });
  for (int i = 0; i < others; ++i)
    tasks.emplace_back([&] { each(other_period, &Bench::Overloaded::other, sent.other); });
}

void run(const std::string& order, double load, double seconds) {
  const auto length = std::chrono::duration_cast<nanoseconds>(std::chrono::duration<double>(seconds));
  const auto other = std::chrono::duration_cast<nanoseconds>(other_period * (load - 0.3) / others);
  const bool real_time = run_at(sending);
  const auto server =
      make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBServerConcurrency", "worker-pool",
                "-ORBServerThreads", "1", "-ORBMaxQueuedRequests", "1000000", "-ORBQueueOrder", order},
               "server");
  const auto client = make_orb({}, "client");
  const auto scheduler =
      IDL::traits<takt::rt::RunTimeScheduler>::narrow(server->resolve_initial_references("RunTimeScheduler"));
  scheduler->install({{.name = "Bench::Overloaded::critical",
                       .period = critical_period,
                       .deadline = critical_period,
                       .execution = critical_execution,
                       .critical = true},
                      {.name = "Bench::Overloaded::other",
                       .period = other_period,
                       .deadline = other_period,
                       .execution = other}});
  const auto root = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
  static Done in_time{};
  const auto reference =
      root->id_to_reference(root->activate_object(CORBA::make_reference<Jobs>(other, in_time)));
  root->the_POAManager()->activate();
  const auto jobs =
      IDL::traits<Bench::Overloaded>::narrow(client->string_to_object(server->object_to_string(reference)));
  Sent sent;
  send_jobs(jobs, length, sent);
  const auto late = [](std::int64_t all, const std::atomic<std::int64_t>& done) {
    return static_cast<long long>(all - done);
  };
  std::printf(
      "{\"part\": \"overload-machine\", \"order\": \"%s\", \"load\": %.2f, \"critical_jobs\": %lld, "
      "\"critical_misses\": %lld, \"other_jobs\": %lld, \"other_misses\": %lld, \"real_time\": %d}\n",
      order.c_str(), load, static_cast<long long>(sent.critical.load()), late(sent.critical, in_time[0]),
      static_cast<long long>(sent.other.load()), late(sent.other, in_time[1]), real_time ? 1 : 0);
  std::fflush(stdout);
  std::_Exit(0);  // skips the ORB's orderly shutdown, which would wait until the queue is empty
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_schedule_overload_machine", [&] {
    const double load = argc == 4 ? std::atof(argv[2]) : 0, seconds = argc == 4 ? std::atof(argv[3]) : 0;
    if (load <= 0.3 || load > 10 || seconds <= 0 || seconds > 3600)
      throw std::runtime_error("usage: bench_schedule_overload_machine ORDER LOAD SECONDS");
    run(argv[1], load, seconds);
  });
}
