// Makes CALLS calls of an operation, for a test that counts the client's instructions. The server is another
// process:
//
//   rt_dynamic stub|reused|new nothing|cube|take CALLS
//
// The calls use the stub, one request that is reused, or a new request each time.
#include <takt/corba.h>
#include <takt/dynamic/request.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "dynamicS.h"

namespace {

using TargetRef = IDL::traits<Costs::Target>::ref_type;

class Servant final : public virtual Costs::POA::Target {
 public:
  explicit Servant(CORBA::object_reference<CORBA::ORB> orb) : orb_(std::move(orb)) {}
  void nothing() override {}
  std::uint8_t cube(std::uint8_t x) override { return static_cast<std::uint8_t>(x * x * x); }
  void take(const Costs::BinStructs&) override {}
  void stop() override { orb_->shutdown(false); }

 private:
  const CORBA::object_reference<CORBA::ORB> orb_;
};

CORBA::object_reference<CORBA::ORB> make_orb(const char* name) {
  std::string program("rt_dynamic"), option("-ORBListenEndpoints"), endpoint("iiop://127.0.0.1:0");
  char* argv[] = {program.data(), option.data(), endpoint.data(), nullptr};
  int argc = 3;
  return CORBA::ORB_init(argc, argv, name);
}

int serve() {
  const auto orb = make_orb("server");
  const auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  poa->the_POAManager()->activate();
  const auto id = poa->activate_object(CORBA::make_reference<Servant>(orb));
  std::puts(orb->object_to_string(poa->id_to_reference(id)).c_str());
  std::fclose(stdout);
  orb->run();
  orb->destroy();
  return 0;
}

const Costs::BinStructs& structs() {
  static const Costs::BinStructs all(1024, {1, 'c', 2, 3, 4.5});
  return all;
}

void call_stub(const TargetRef& target, std::string_view operation) {
  if (operation == "nothing")
    target->nothing();
  else if (operation == "take")
    target->take(structs());
  else if (target->cube(3) != 27)
    std::abort();
}

IDL::traits<CORBA::Request>::ref_type make_request(const TargetRef& target, const std::string& operation,
                                                   const CORBA::Any& argument) {
  auto request = target->_request(operation);
  if (operation != "nothing") request->add_in_arg() = argument;
  if (operation == "cube") request->set_return_type(takt::cdr::basic_typecode(CORBA::TCKind::tk_octet));
  return request;
}

void check(CORBA::Request& request, const std::string& operation) {
  std::uint8_t result = 27;
  if (operation == "cube") request.return_value() >>= result;
  if (result != 27) std::abort();
}

void call(const TargetRef& target, std::string_view how, const std::string& operation, long calls) {
  CORBA::Any argument;
  if (operation == "take")
    argument <<= structs();
  else
    argument <<= std::uint8_t{3};
  const auto reused = make_request(target, operation, argument);
  for (long i = 0; i < calls; ++i) {
    if (how == "stub") {
      call_stub(target, operation);
    } else if (how == "reused") {
      reused->_reset();
      reused->invoke();
    } else {
      make_request(target, operation, argument)->invoke();
    }
  }
  if (how == "reused") check(*reused, operation);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 2 && std::string_view(argv[1]) == "serve") return serve();
  if (argc < 4) return 2;
  std::FILE* const server = ::popen((std::string(argv[0]) + " serve").c_str(), "r");
  char ior[4096] = "";
  if (!server || !std::fgets(ior, sizeof ior, server)) return 1;
  std::string text(ior);
  text.pop_back();
  const auto orb = make_orb("client");
  const auto target = IDL::traits<Costs::Target>::narrow(orb->string_to_object(text));
  call(target, argv[1], argv[2], std::atol(argv[3]));
  target->stop();
  orb->destroy();
  return ::pclose(server) == 0 ? 0 : 1;
} catch (const std::exception& failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return 1;
}
