// bench_takt_async_client --endpoint IOR --model
// sync|callback|coroutine|loop-callback|loop-coroutine|future|deferred
//   [--in-flight N] [--connections N] [--seconds S | --bare CALLS] [-ORB options]: cube_octet, with N calls
//   under way in all. Each connection belongs to an ORB of its own. Handlers and coroutines run in its
//   reading thread, or in a run loop of the main thread; futures, deferred requests and synchronous calls
//   have a thread for each connection.
#include <takt/async/pending.h>
#include <takt/async/run_loop.h>
#include <takt/corba.h>
#include <takt/dynamic/request.h>
#include <takt/orb/asynchronous.h>

#include <coroutine>
#include <cstdint>
#include <deque>
#include <exception>
#include <future>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "../flow.h"
#include "asyncC.h"
#include "common/serve.h"
#include "common/workload.h"

namespace {

using CubeRef = IDL::traits<Bench::Pipelined>::ref_type;
using HandlerRef = IDL::traits<Bench::AMI_PipelinedHandler>::ref_type;
using bench::Chain;

constexpr std::uint8_t argument = 3;

void check_result(std::uint8_t result) {
  bench::check(result == bench::cube(argument), "cube_octet returned the wrong value");
}

// The outcome of a call is reported from a thread of the ORB, which cannot throw to the main program.
[[noreturn]] void fail_all() {
  try {
    throw;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "bench_takt_async_client: %s\n", failure.what());
  }
  std::_Exit(1);
}

class Handler final : public virtual Bench::AMI_PipelinedHandler {
 public:
  Handler(CubeRef cube, Chain& chain, std::latch& over)
      : cube_(std::move(cube)), chain_(chain), over_(over) {}

  void begin(const HandlerRef& self) {
    self_ = self;
    send();
  }
  void cube_octet(std::uint8_t result) override {
    try {
      check_result(result);
      chain_.end();
      send();
    } catch (...) {
      fail_all();
    }
  }
  void cube_octet_excep(IDL::traits<Messaging::ExceptionHolder>::ref_type holder) override {
    try {
      holder->raise_exception();
    } catch (...) {
      fail_all();
    }
  }

 private:
  void send() {
    if (chain_.begin()) return cube_->sendc_cube_octet(self_, argument);
    self_ = nullptr;
    over_.count_down();
  }

  const CubeRef cube_;
  Chain& chain_;
  std::latch& over_;
  HandlerRef self_;
};

struct Job {
  struct promise_type {
    Job get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { fail_all(); }
  };
};

Job follow(CubeRef cube, Chain& chain, std::latch& over) {
  while (chain.begin()) {
    check_result(co_await cube->async_cube_octet(argument));
    chain.end();
  }
  over.count_down();
}

takt::Task<> follow_in_loop(CubeRef cube, Chain& chain) {
  while (chain.begin()) {
    check_result(co_await cube->async_cube_octet(argument));
    chain.end();
  }
}

void run_loop(bool coroutines, const std::vector<CubeRef>& cubes,
              const std::vector<std::vector<Chain*>>& chains, std::latch& over) {
  takt::RunLoop loop;
  for (std::size_t i = 0; i < cubes.size(); ++i)
    for (Chain* chain : chains[i])
      if (coroutines) {
        loop.spawn(follow_in_loop(cubes[i], *chain));
      } else {
        const auto handler = CORBA::make_reference<Handler>(cubes[i], *chain, over);
        handler->begin(handler);
      }
  loop.run();
}

// Waits for the oldest call, and begins another one in its chain.
template <class Begin, class End>
void take_turns(const std::vector<Chain*>& chains, Begin begin, End end) {
  using Call = decltype(begin());
  std::deque<std::pair<Chain*, Call>> under_way;
  const auto next = [&](Chain* chain) {
    if (chain->begin()) under_way.emplace_back(chain, begin());
  };
  for (Chain* chain : chains) next(chain);
  while (!under_way.empty()) {
    auto [chain, call] = std::move(under_way.front());
    under_way.pop_front();
    end(call);
    chain->end();
    next(chain);
  }
}

void call_here(const std::string& model, const CubeRef& cube, const std::vector<Chain*>& chains) {
  if (model == "sync") {
    for (Chain* const chain = chains.front(); chain->begin(); chain->end())
      check_result(cube->cube_octet(argument));
  } else if (model == "future") {
    take_turns(
        chains, [&] { return cube->async_cube_octet(argument).future(); },
        [](auto& call) { check_result(call.get()); });
  } else {
    bench::check(model == "deferred", "unknown model");
    take_turns(
        chains,
        [&] {
          auto request = cube->_request("cube_octet");
          request->add_in_arg() <<= argument;
          request->set_return_type(CORBA::_tc_octet);
          request->send_deferred();
          return request;
        },
        [](auto& request) {
          request->get_response();
          std::uint8_t result = 0;
          bench::check(request->return_value() >>= result, "there is no result");
          check_result(result);
        });
  }
}

void run(const std::vector<CubeRef>& cubes, const bench::Options& options) {
  const bench::Shape shape(options);
  const std::string model = options.text("model");
  bench::check(model != "sync" || shape.of_connection() == 1,
               "a thread makes one synchronous call at a time");
  bench::Limit limit(options);
  std::vector<std::unique_ptr<Chain>> chains;
  std::vector<std::vector<Chain*>> of(cubes.size());
  for (std::size_t i = 0; i < shape.of_connection() * cubes.size(); ++i) {
    chains.push_back(std::make_unique<Chain>(limit));
    of[i % cubes.size()].push_back(chains.back().get());
  }
  limit.start();
  if (model == "loop-callback" || model == "loop-coroutine") {
    std::latch over(static_cast<std::ptrdiff_t>(chains.size()));
    run_loop(model == "loop-coroutine", cubes, of, over);
  } else if (model == "callback" || model == "coroutine") {
    std::latch over(static_cast<std::ptrdiff_t>(chains.size()));
    for (std::size_t i = 0; i < cubes.size(); ++i)
      for (Chain* chain : of[i])
        if (model == "coroutine") {
          follow(cubes[i], *chain, over);
        } else {
          const auto handler = CORBA::make_reference<Handler>(cubes[i], *chain, over);
          handler->begin(handler);
        }
    over.wait();
  } else {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < cubes.size(); ++i)
      threads.emplace_back([&, i] {
        try {
          call_here(model, cubes[i], of[i]);
        } catch (...) {
          fail_all();
        }
      });
    call_here(model, cubes[0], of[0]);
  }
  print(options, shape, chains, limit);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_takt_async_client", [&] {
    const std::vector<char*> given(argv, argv + argc + 1);
    std::vector<IDL::traits<CORBA::ORB>::ref_type> orbs{CORBA::ORB_init(argc, argv)};
    const bench::Options options(argc, argv);
    while (orbs.size() < bench::Shape(options).connections) {
      std::vector<char*> again = given;
      int count = static_cast<int>(again.size()) - 1;
      orbs.push_back(CORBA::ORB_init(count, again.data(), "client-" + std::to_string(orbs.size())));
    }
    std::vector<CubeRef> cubes;
    for (const auto& orb : orbs) {
      takt::use_async_settings(orb, {.delivery = takt::AsyncSettings::Delivery::reading_thread});
      cubes.push_back(IDL::traits<Bench::Pipelined>::narrow(orb->string_to_object(options.text("endpoint"))));
    }
    run(cubes, options);
    for (const auto& orb : orbs) orb->destroy();
  });
}
