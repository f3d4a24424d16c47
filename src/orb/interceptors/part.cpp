// ORB initializers and their interceptors.
#include <takt/interceptors/interceptors.h>

#include "base/owned_by_thread.h"
#include "interceptors/init/initializers.h"
#include "orb/orb_table.h"
#include "orb/runtime/runtime.h"

namespace takt::orb {

namespace {
struct ArgumentsOfThread {
  std::vector<std::string> all;
};
}  // namespace

void keep_arguments(int argc, char* argv[]) {
  owned_by_thread<ArgumentsOfThread>().all.assign(argv, argv + argc);
}

void run_initializers(Runtime& runtime) {
  OrbParts& parts = runtime.parts();
  InitialReferences& initial = runtime.initial_references();
  const auto resolve = [&](const std::string& name) { return runtime.resolve(name); };
  const auto add = [&](const std::string& name, Runtime::Reference object) {
    return initial.add(name, std::move(object));
  };
  auto installed = interceptors::run_initializers(
      {std::exchange(owned_by_thread<ArgumentsOfThread>().all, {}), runtime.settings().runtime.id,
       runtime.settings().runtime.server_id, parts.references, parts.client, parts.object_adapter.tree(),
       parts.server.pipeline, &parts.decoding, resolve, add});
  if (!installed) return;
  initial.add_built_in("PICurrent", [of_orb = installed.get()] { return of_orb->current(); });
  parts.interceptors = std::move(installed);
}

}  // namespace takt::orb

void PortableInterceptor::register_orb_initializer(CORBA::object_reference<ORBInitializer> initializer) {
  if (!initializer) throw CORBA::INV_OBJREF(0, CORBA::COMPLETED_NO, "a nil ORB initializer");
  takt::interceptors::add_initializer(std::move(initializer));
}
