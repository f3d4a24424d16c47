// bench_omniorb_server -ORBendPoint giop:tcp:127.0.0.1: [other -ORB options]
//   [--priorities none|processes [--levels WHICH] [--burn MICROSECONDS]]
// omniORB cannot assign priorities to servants. none: it serves all levels alike. processes: it has a process
// for each level, whose threads all have that priority. --burn: duration of upcalls, except at the highest
// level.
#include <sys/wait.h>

#include <string_view>
#include <vector>

#include "common/levels.h"
#include "common/options.h"
#include "common/priorities.h"
#include "common/serve.h"
#include "servant.h"

namespace {

std::string publish(CORBA::ORB_ptr orb, PortableServer::POA_ptr poa,
                    const bench::Work& work = bench::Work()) {
  PortableServer::Servant_var<CubeServant> servant = new CubeServant(work);
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  Bench::Cube_var cube = servant->_this();
  CORBA::String_var ior = orb->object_to_string(cube);
  return std::string(ior);
}

PortableServer::POA_var serving_poa(CORBA::ORB_ptr orb) {
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  return poa;
}

bench::Work work_of(const bench::Options& options, bool first) {
  return bench::Work(first ? 0 : options.number("burn", 0));
}

// The options that are not the ORB's. Each has a value.
bench::Options own_options(int argc, char** argv) {
  std::vector<char*> own{argv[0]};
  for (int i = 1; i + 1 < argc; i += 2)
    if (!std::string_view(argv[i]).starts_with("-ORB")) own.insert(own.end(), {argv[i], argv[i + 1]});
  return {static_cast<int>(own.size()), own.data()};
}

void serve_alike(CORBA::ORB_ptr orb, const bench::Options& options) {
  PortableServer::POA_var poa = serving_poa(orb);
  std::vector<std::string> endpoints;
  for (std::size_t i = 0; i < bench::levels_of(options).size(); ++i)
    endpoints.push_back(publish(orb, poa, work_of(options, i == 0)));
  bench::announce(bench::joined(endpoints));
}

// Serves a level in a process of its own, which writes its endpoint as a line to `told`.
[[noreturn]] void serve_level(int argc, char** argv, int level, const bench::Work& work, int told) {
  const int status = bench::run_main("bench_omniorb_server", [&] {
    bench::run_thread_at(level);  // before the ORB starts threads, which inherit it
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    PortableServer::POA_var poa = serving_poa(orb);
    const std::string endpoint = publish(orb, poa, work) + '\n';
    bench::check(::write(told, endpoint.data(), endpoint.size()) == static_cast<ssize_t>(endpoint.size()),
                 "the endpoint can't be told");
    bench::exit_when_stdin_closes();
  });
  std::_Exit(status);
}

std::string line_from(int descriptor) {
  std::string line;
  for (char octet; ::read(descriptor, &octet, 1) == 1 && octet != '\n';) line += octet;
  bench::check(!line.empty(), "a process for a priority did not start");
  return line;
}

void serve_by_processes(int argc, char** argv, const bench::Options& options) {
  std::vector<std::string> endpoints;
  for (const int level : bench::levels_of(options)) {
    int ends[2];
    bench::check(::pipe(ends) == 0, "no pipe");
    if (::fork() == 0) serve_level(argc, argv, level, work_of(options, endpoints.empty()), ends[1]);
    ::close(ends[1]);
    endpoints.push_back(line_from(ends[0]));
    ::close(ends[0]);
  }
  bench::announce(bench::joined(endpoints));
  bench::wait_until_stdin_closes();
  while (::wait(nullptr) > 0) {
  }
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_omniorb_server", [&] {
    const bench::Options options = own_options(argc, argv);
    if (options.text("priorities") == "processes") return serve_by_processes(argc, argv, options);
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (options.has("priorities"))
      serve_alike(orb, options);
    else
      bench::announce(publish(orb, serving_poa(orb), work_of(options, false)));
    bench::exit_when_stdin_closes();
  });
}
