// bench_takt_client --endpoint IOR|own [-ORB options] [--budget-ms MILLISECONDS]; see common/driver.h. own:
// an ORB of this process is the server, with the same options.
#include <takt/corba.h>
#include <takt/orb/parts.h>
#include <takt/reference/messaging.h>
#include <takt/rt/rtcorba.h>
#include <takt/rt/thread_reservation.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "common/driver.h"
#include "common/serve.h"
#include "empty_interceptors.h"
#include "servant.h"

void takt::choose_parts(Parts& parts) { add_all(parts); }

namespace {

using CubeRef = IDL::traits<Bench::Cube>::ref_type;

class Session {
 public:
  explicit Session(CubeRef cube) : cube_(std::move(cube)) {}

  std::uint8_t cube_octet(std::uint8_t x) { return cube_->cube_octet(x); }
  void cube_void() { cube_->cube_void(); }
  std::int32_t cube_long(std::int32_t x) { return cube_->cube_long(x); }
  bench::BinStruct cube_struct(const bench::BinStruct& x) {
    const Bench::BinStruct cubed = cube_->cube_struct({x.s, x.c, x.l, x.o, x.d});
    return {cubed.s(), cubed.c(), cubed.l(), cubed.o(), cubed.d()};
  }
  void echo(const std::string& text) {
    bench::check(cube_->echo(text) == text, "echo returned another text");
  }
  void pings(unsigned count) {
    for (unsigned i = 0; i < count; ++i) cube_->ping(1);
  }
  std::uint32_t digest() { return cube_->digest(); }

  auto send_octets(const std::vector<std::uint8_t>& data) {
    return [this, data] { cube_->send_octets(data); };
  }
  auto send_longs(const std::vector<std::int32_t>& data) {
    return [this, data] { cube_->send_longs(data); };
  }
  auto send_structs(const std::vector<bench::BinStruct>& data) {
    Bench::Structs structs;
    for (const auto& x : data) structs.emplace_back(x.s, x.c, x.l, x.o, x.d);
    return [this, structs] { cube_->send_structs(structs); };
  }

 private:
  CubeRef cube_;
};

struct Client {
  IDL::traits<CORBA::ORB>::ref_type orb;

  void run_at(int priority) {
    IDL::traits<RTCORBA::Current>::narrow(orb->resolve_initial_references("RTCurrent"))
        ->the_priority(static_cast<RTCORBA::Priority>(priority));
  }

  auto reserve(std::chrono::nanoseconds budget, std::chrono::nanoseconds period) {
    return std::make_unique<takt::rt::ThreadReservation>(budget, period);
  }

  Session connect(const std::string& ior) {
    return Session(IDL::traits<Bench::Cube>::narrow(orb->string_to_object(ior)));
  }
};

// Limits the duration of each call, and sends the deadline to the server.
void give_budget(const IDL::traits<CORBA::ORB>::ref_type& orb, const std::string& milliseconds) {
  const auto manager =
      IDL::traits<CORBA::PolicyManager>::narrow(orb->resolve_initial_references("ORBPolicyManager"));
  const TimeBase::TimeT units = std::stoull(milliseconds) * 10'000;
  manager->set_policy_overrides({CORBA::make_reference<Messaging::RelativeRoundtripTimeoutPolicy>(units)},
                                CORBA::SetOverrideType::ADD_OVERRIDE);
}

// An ORB with a thread per connection, which serves without run().
class OwnServer {
 public:
  OwnServer(int argc, std::vector<char*> argv) : orb_(CORBA::ORB_init(argc, argv.data(), "server")) {
    const auto root = IDL::traits<PortableServer::POA>::narrow(orb_->resolve_initial_references("RootPOA"));
    root->the_POAManager()->activate();
    const auto id = root->activate_object(CORBA::make_reference<CubeServant>());
    endpoint_ = orb_->object_to_string(root->id_to_reference(id));
  }
  ~OwnServer() { orb_->destroy(); }
  OwnServer(const OwnServer&) = delete;
  OwnServer& operator=(const OwnServer&) = delete;

  const std::string& endpoint() const { return endpoint_; }

 private:
  const IDL::traits<CORBA::ORB>::ref_type orb_;
  std::string endpoint_;
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_takt_client", [&] {
    const std::vector<char*> given(argv, argv + argc + 1);
    const int count = argc;
    ::setenv("TAKT_LOCAL_ROADS", "off", 0);  // an endpoint of TCP is measured over TCP
    bench::intercept_if_asked(argc, argv);
    auto orb = CORBA::ORB_init(argc, argv);
    bench::Options options(argc, argv);
    std::optional<OwnServer> own;
    if (options.text("endpoint") == "own") options.set("endpoint", own.emplace(count, given).endpoint());
    if (options.has("budget-ms")) give_budget(orb, options.text("budget-ms"));
    Client client{orb};
    bench::drive(client, options);
    orb->destroy();
  });
}
