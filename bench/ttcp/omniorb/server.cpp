// bench_omniorb_ttcp_server --servants N --references FILE [-ORB options]
#include <span>

#include "common/options.h"
#include "common/references.h"
#include "common/serve.h"
#include "ttcp.hh"
#include "ttcp/types.h"

namespace {

class Receiver final : public POA_Ttcp::Receiver {
 public:
  explicit Receiver(bench::Sink& sink) : sink_(sink) {}

#define TTCP_RECEIVE(Type)                                                        \
  void send##Type##Seq_2way(const Ttcp::Type##Seq& data) override { take(data); } \
  void send##Type##Seq_1way(const Ttcp::Type##Seq& data) override { take(data); }
  TTCP_TYPES(TTCP_RECEIVE)
#undef TTCP_RECEIVE
  void sendNoParams_2way() override { sink_.add(1); }
  void sendNoParams_1way() override { sink_.add(1); }
  CORBA::ULong digest() override { return sink_.total(); }

 private:
  template <class Sequence>
  void take(const Sequence& data) {
    sink_.add(bench::digest_units(std::span(data.get_buffer(), data.length())) + 1);
  }

  bench::Sink& sink_;  // shared by all receivers
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_omniorb_ttcp_server", [&] {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    const bench::Options options(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    static bench::Sink sink;
    const std::string file = options.text("references");
    const auto servants = static_cast<std::size_t>(options.number("servants", 1));
    bench::write_references(file, servants, [&](std::size_t) {
      PortableServer::Servant_var<Receiver> servant = new Receiver(sink);
      PortableServer::ObjectId_var id = poa->activate_object(servant);
      CORBA::Object_var reference = poa->id_to_reference(id);
      CORBA::String_var text = orb->object_to_string(reference);
      return std::string(text);
    });
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    bench::announce(file);
    bench::exit_when_stdin_closes();
  });
}
