// bench_takt_ttcp_server --servants N --references FILE [-ORB options]
#include <takt/corba.h>

#include <span>
#include <thread>

#include "common/options.h"
#include "common/references.h"
#include "common/serve.h"
#include "ttcp/types.h"
#include "ttcpS.h"

namespace {

class Receiver final : public virtual CORBA::servant_traits<Ttcp::Receiver>::base_type {
 public:
  explicit Receiver(bench::Sink& sink) : sink_(sink) {}

#define TTCP_RECEIVE(Type)                                                        \
  void send##Type##Seq_2way(const Ttcp::Type##Seq& data) override { take(data); } \
  void send##Type##Seq_1way(const Ttcp::Type##Seq& data) override { take(data); }
  TTCP_TYPES(TTCP_RECEIVE)
#undef TTCP_RECEIVE
  void sendNoParams_2way() override { sink_.add(1); }
  void sendNoParams_1way() override { sink_.add(1); }
  std::uint32_t digest() override { return sink_.total(); }

 private:
  template <class Unit>
  void take(const std::vector<Unit>& data) {
    sink_.add(bench::digest_units(data) + 1);
  }
  void take(const Ttcp::StructSeq& data) {
    std::uint32_t sum = 1;
    for (const auto& x : data) sum += bench::digest_struct(x.s(), x.c(), x.l(), x.o(), x.d());
    sink_.add(sum);
  }

  bench::Sink& sink_;  // shared by all receivers
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_takt_ttcp_server", [&] {
    auto orb = CORBA::ORB_init(argc, argv);
    const bench::Options options(argc, argv);
    auto root = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    static bench::Sink sink;
    const std::string file = options.text("references");
    const auto servants = static_cast<std::size_t>(options.number("servants", 1));
    bench::write_references(file, servants, [&](std::size_t) {
      const auto id = root->activate_object(CORBA::make_reference<Receiver>(sink));
      return orb->object_to_string(root->id_to_reference(id));
    });
    root->the_POAManager()->activate();
    std::thread([orb] { orb->run(); }).detach();
    bench::announce(file);
    bench::exit_when_stdin_closes();
  });
}
