// Sends a sequence of structs CALLS times, for external counters of instructions and allocations:
//
//   rt_prepared stub|prepared|encode CALLS
//
// Through the stub, as a PreparedCall, or only encoded as by the stub. Client and server are in this process.
#include <takt/corba.h>
#include <takt/invocation/prepared_call.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <thread>

#include "preparedS.h"

namespace {

class Sink final : public virtual Quotes::POA::Sink {
 public:
  void push(const Quotes::QuoteSeq& quotes) override { sum += quotes.size(); }
  unsigned long sum = 0;
};

CORBA::object_reference<CORBA::ORB> make_orb(const char* name) {
  std::string program("rt_prepared"), option("-ORBListenEndpoints"), endpoint("unix:");
  char* argv[] = {program.data(), option.data(), endpoint.data(), nullptr};
  int argc = 3;
  return CORBA::ORB_init(argc, argv, name);
}

void encode(const Quotes::QuoteSeq& quotes, long calls) {
  takt::GatherBuffer request;
  for (long i = 0; i < calls; ++i) {
    request.clear();
    takt::cdr::Encoder out(request);
    takt::cdr::write(out, quotes);
    if (!out.ok()) std::abort();
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 3) return 2;
  const std::string_view how = argv[1];
  const long calls = std::atol(argv[2]);
  const Quotes::QuoteSeq quotes(50, {"TAKT", Quotes::Direction::sell, 100, 12.25});
  if (how == "encode") {
    encode(quotes, calls);
    return 0;
  }
  const auto server = make_orb("server"), client = make_orb("client");
  const auto poa = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
  poa->the_POAManager()->activate();
  const auto servant = CORBA::make_reference<Sink>();
  const auto id = poa->activate_object(servant);
  std::thread running([&] { server->run(); });
  const auto sink = IDL::traits<Quotes::Sink>::narrow(
      client->string_to_object(server->object_to_string(poa->id_to_reference(id))));
  const takt::PreparedCall<Quotes::Sink, Quotes::Sink::_operations::push> push(quotes);
  for (long i = 0; i < calls; ++i)
    if (how == "prepared")
      push(sink);
    else
      sink->push(quotes);
  client->destroy();
  server->shutdown(true);
  running.join();
  server->destroy();
  std::printf("%lu\n", servant->sum);
  return servant->sum == quotes.size() * static_cast<unsigned long>(calls) ? 0 : 1;
} catch (const std::exception& failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return 1;
}
