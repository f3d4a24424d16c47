// bench_omniorb_async_client --endpoint IOR [--in-flight N] [--seconds S | --bare CALLS] [-ORB options]:
// omniORB
//   4.2 has no AMI, so the calls are dynamic requests that are sent deferred, each in a thread of omniORB's,
//   on one connection.
#include <omniORB4/CORBA.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../flow.h"
#include "async.hh"
#include "common/options.h"
#include "common/serve.h"
#include "common/workload.h"

namespace {

using bench::Chain;

constexpr std::uint8_t argument = 3;

CORBA::Request_var send(const CORBA::Object_var& cube) {
  CORBA::Request_var request = cube->_request("cube_octet");
  request->add_in_arg() <<= CORBA::Any::from_octet(argument);
  request->set_return_type(CORBA::_tc_octet);
  request->send_deferred();
  return request;
}

void check_result(const CORBA::Request_var& request) {
  request->get_response();
  CORBA::Octet result = 0;
  bench::check(request->return_value() >>= CORBA::Any::to_octet(result), "there is no result");
  bench::check(result == bench::cube(argument), "cube_octet returned the wrong value");
}

// Waits for the oldest call, and begins another one in its chain.
void take_turns(const CORBA::Object_var& cube, const std::vector<Chain*>& chains) {
  std::deque<std::pair<Chain*, CORBA::Request_var>> under_way;
  const auto next = [&](Chain* chain) {
    if (chain->begin()) under_way.emplace_back(chain, send(cube));
  };
  for (Chain* const chain : chains) next(chain);
  while (!under_way.empty()) {
    const auto [chain, request] = under_way.front();
    under_way.pop_front();
    check_result(request);
    chain->end();
    next(chain);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_omniorb_async_client", [&] {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    const bench::Options options(argc, argv);
    const bench::Shape shape(options);
    bench::check(shape.connections == 1, "one connection is measured");
    CORBA::Object_var cube = orb->string_to_object(options.text("endpoint").c_str());
    bench::Limit limit(options);
    const bench::Chains chains(shape, limit);
    limit.start();
    take_turns(cube, chains.of(0));
    print(options, shape, chains.all(), limit);
  });
}
