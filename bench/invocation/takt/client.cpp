// bench_takt_invocation_client --invocation sii|dii-reused|dii-new|deferred --endpoint FILE [-ORB options];
// see ttcp/client.h.
#include <takt/dynamic/request.h>

#include <utility>

#include "common/serve.h"
#include "invocation/client.h"
#include "ttcp/takt/stubs.h"

namespace {

using bench::Invocation;
using RequestRef = IDL::traits<CORBA::Request>::ref_type;

// The same calls as dynamic requests.
template <Invocation how>
struct Requests : bench::Stubs {
  template <class Unit>
  static auto sending(const std::vector<Reference>& to, const std::vector<Unit>& units, bool oneway) {
    CORBA::Any argument;
    argument <<= form(units);
    const auto operation = bench::operation_name(bench::type_of_operation<Unit>(), oneway);
    return calling(to, operation, oneway,
                   [argument](CORBA::Request& request) { request.add_in_arg() = argument; });
  }
  static auto pinging(const std::vector<Reference>& to, bool oneway) {
    return calling(to, bench::operation_name("NoParams", oneway), oneway, [](CORBA::Request&) {});
  }

 private:
  template <class AddArguments>
  static auto calling(const std::vector<Reference>& to, const std::string& operation, bool oneway,
                      AddArguments add_arguments) {
    const auto make = [operation, add_arguments](const Reference& target) {
      RequestRef request = target->_request(operation);
      add_arguments(*request);
      return request;
    };
    std::vector<RequestRef> reused;
    if constexpr (how == Invocation::reused)
      for (const Reference& target : to) reused.push_back(make(target));
    return [&to, oneway, make, reused = std::move(reused)](std::size_t i) {
      if constexpr (how == Invocation::reused) {
        reused[i]->_reset();
        send(*reused[i], oneway);
      } else {
        send(*make(to[i]), oneway);
      }
    };
  }
  static void send(CORBA::Request& request, bool oneway) {
    if constexpr (how == Invocation::deferred) {
      bench::check(!oneway, "a deferred request has a reply");
      request.send_deferred();
      request.get_response();
    } else {
      oneway ? request.send_oneway() : request.invoke();
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_takt_invocation_client", [&] {
    auto orb = CORBA::ORB_init(argc, argv);
    const bench::Options options(argc, argv);
    const std::string how = options.text("invocation");
    if (how == "sii")
      bench::drive_ttcp<bench::Stubs>(orb, options);
    else if (how == "dii-reused")
      bench::drive_ttcp<Requests<Invocation::reused>>(orb, options);
    else if (how == "dii-new")
      bench::drive_ttcp<Requests<Invocation::made_anew>>(orb, options);
    else if (how == "deferred")
      bench::drive_ttcp<Requests<Invocation::deferred>>(orb, options);
    else
      bench::check(false, "unknown invocation");
    orb->destroy();
  });
}
