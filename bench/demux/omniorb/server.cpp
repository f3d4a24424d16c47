// bench_omniorb_demux_server --servants N --operations N --depth N --references FILE [--sample N] [-ORB
// options]
#include "demux/server.h"
#include "common/options.h"
#include "common/serve.h"
#include "demux.hh"
#include "demux/operations.h"

namespace {

template <std::size_t Operations>
struct Demuxed;

#define DEMUX_OPERATION(number) \
  void operation_##number() override {}
#define DEMUX_SERVANT(count)                              \
  template <>                                             \
  struct Demuxed<count> {                                 \
    struct Servant final : POA_Demux::Operations##count { \
      DEMUX_OPERATIONS_##count(DEMUX_OPERATION)           \
    };                                                    \
  };
DEMUX_SERVANT(1)
DEMUX_SERVANT(10)
DEMUX_SERVANT(100)
#undef DEMUX_SERVANT
#undef DEMUX_OPERATION

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_omniorb_demux_server", [&] {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    const bench::Options options(argc, argv);
    const auto number = [&](const char* key, double fallback) {
      return static_cast<std::size_t>(options.number(key, fallback));
    };
    const std::size_t objects = number("servants", 1);
    CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(root);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    const CORBA::PolicyList policies;
    for (std::size_t level = 0; level < number("depth", 1); ++level)
      poa = poa->create_POA(("level" + std::to_string(10 + level)).c_str(), manager, policies);

    std::vector<PortableServer::ObjectId_var> ids(objects);
    bench::with_operations(number("operations", 1), [&]<std::size_t Operations> {
      for (auto& id : ids) {
        PortableServer::Servant_var<typename Demuxed<Operations>::Servant> servant =
            new typename Demuxed<Operations>::Servant;
        id = poa->activate_object(servant);
      }
    });
    const std::string file = options.text("references");
    bench::write_sample(file, objects, number("sample", 100000), [&](std::size_t object) {
      CORBA::Object_var reference = poa->id_to_reference(ids[object]);
      CORBA::String_var text = orb->object_to_string(reference);
      return std::string(text);
    });
    manager->activate();
    bench::announce(file);
    bench::exit_when_stdin_closes();
  });
}
