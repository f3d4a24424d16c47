// bench_takt_demux_server --strategy S --servants N --operations N --depth N --references FILE [--sample N]
//   [-ORB options]
#include <thread>

#include "common/options.h"
#include "common/serve.h"
#include "nest.h"
#include "servants.h"

int main(int argc, char** argv) {
  return bench::run_main("bench_takt_demux_server", [&] {
    auto orb = CORBA::ORB_init(argc, argv);
    const bench::Options options(argc, argv);
    const auto number = [&](const char* key, double fallback) {
      return static_cast<std::size_t>(options.number(key, fallback));
    };
    const std::size_t objects = number("servants", 1);
    auto root = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    Nest nest(root, options.text("strategy", "delayered"), number("depth", 1), objects);

    std::vector<PortableServer::ObjectId> ids(objects);
    bench::with_operations(number("operations", 1), [&]<std::size_t Operations> {
      using Servant = typename Demuxed<Operations>::Servant;
      for (std::size_t i = 0; i < objects; ++i)
        ids[i] = nest.activate(i, CORBA::make_reference<Servant>(static_cast<std::uint32_t>(i)));
    });
    const std::string file = options.text("references");
    bench::write_sample(file, objects, number("sample", 100000), [&](std::size_t object) {
      return orb->object_to_string(nest.reference(ids[object]));
    });
    root->the_POAManager()->activate();
    std::thread([orb] { orb->run(); }).detach();
    bench::announce(file);
    bench::exit_when_stdin_closes();
  });
}
