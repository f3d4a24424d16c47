// bench_omniorb_invocation_client --invocation sii|dii-new|deferred --endpoint FILE [-ORB options]; see
// ttcp/client.h. omniORB sends a request once only, so none is reused.
#include "invocation/client.h"
#include "common/serve.h"
#include "ttcp/omniorb/stubs.h"

namespace {

using bench::Invocation;

// The same calls as dynamic requests.
template <Invocation how>
struct Requests : bench::Stubs {
  template <class Unit>
  static auto sending(const std::vector<Reference>& to, const std::vector<Unit>& units, bool oneway) {
    CORBA::Any argument;
    argument <<= form(units);
    const auto operation = bench::operation_name(bench::type_of_operation<Unit>(), oneway);
    return [&to, oneway, operation, argument](std::size_t i) {
      CORBA::Request_var request = to[i]->_request(operation.c_str());
      request->add_in_arg() = argument;
      send(request.in(), oneway);
    };
  }
  static auto pinging(const std::vector<Reference>& to, bool oneway) {
    return [&to, oneway, operation = bench::operation_name("NoParams", oneway)](std::size_t i) {
      CORBA::Request_var request = to[i]->_request(operation.c_str());
      send(request.in(), oneway);
    };
  }

 private:
  static void send(CORBA::Request_ptr request, bool oneway) {
    if constexpr (how == Invocation::deferred) {
      bench::check(!oneway, "a deferred request has a reply");
      request->send_deferred();
      request->get_response();
    } else {
      oneway ? request->send_oneway() : request->invoke();
    }
    bench::check(request->env()->exception() == nullptr, "a request failed");
  }
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_omniorb_invocation_client", [&] {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    const bench::Options options(argc, argv);
    const std::string how = options.text("invocation");
    if (how == "sii")
      bench::drive_ttcp<bench::Stubs>(orb, options);
    else if (how == "dii-new")
      bench::drive_ttcp<Requests<Invocation::made_anew>>(orb, options);
    else if (how == "deferred")
      bench::drive_ttcp<Requests<Invocation::deferred>>(orb, options);
    else
      bench::check(false, "unknown invocation");
  });
}
