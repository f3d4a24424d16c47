// takt imr serve: runs an implementation repository.
#include <iostream>
#include <memory>

#include <takt/corba.h>

#include "common/serving.h"
#include "imr/commands.h"
#include "imr/owner_client.h"
#include "imr/service/repository.h"

namespace takt::command {
namespace {

constexpr const char* imr_endpoint = "iiop://localhost:2812";

struct RepositorySettings {
  bool in_memory = false;
  std::string store, socket, output = "-", registrations = "local";
  Serving serving;
  imr::Limits limits;
  std::uint64_t servers = limits.servers, waiting = limits.waiting;
  std::chrono::nanoseconds settled = limits.settled, ping_timeout = limits.ping_timeout;
};

imr::Limits repository_limits_of(const RepositorySettings& settings) {
  using std::chrono::ceil, std::chrono::milliseconds;
  imr::Limits limits = settings.limits;
  limits.servers = number_up_to(1'000'000, settings.servers, "--max-servers");
  limits.waiting = number_up_to(100'000'000, settings.waiting, "--max-waiting");
  limits.settled = ceil<milliseconds>(settings.settled);
  limits.ping_timeout = ceil<milliseconds>(settings.ping_timeout);
  return limits;
}

imr::Registrations registrations_of(const std::string& text) {
  if (text == "none") return imr::Registrations::none;
  return text == "network" ? imr::Registrations::network : imr::Registrations::local;
}

// Requests that wait occupy no thread, so a few threads serve many clients.
const std::vector<PreferredValue> many_clients{shared_connections,
                                               {"ServerConcurrency", "leader-followers"},
                                               {"MaxQueuedRequests", "1000000", "ServerConcurrency"}};

// An ORB of its own, so that no network reaches it, and no reference for clients names the socket.
CORBA::object_reference<CORBA::ORB> owner_orb(const std::string& socket) {
  return orb_of({"-ORBListenEndpoints", "unix:" + socket, "-ORBAdmin", "off", "-ORBServiceNotify", "off"},
                "takt imr serve, for its owner");
}

void run(const RepositorySettings& settings) {
  const std::string socket = owner_socket(settings.socket);
  const imr::ImplementationRepository::Options options{
      .store = store_file(settings.in_memory, settings.store, "imr.db", "servers"),
      .limits = repository_limits_of(settings),
      .registrations = registrations_of(settings.registrations),
      .report = [](const std::string& text) { std::cerr << "takt imr serve: " << text << "\n"; }};
  const AwaitedSignals signals{SIGINT, SIGTERM};
  try {
    const auto orb = serving_orb(settings.serving, imr_endpoint, "takt imr serve", many_clients);
    const auto owner = owner_orb(socket);
    const auto repository = imr::ImplementationRepository::start(orb, owner, options);
    if (!repository) fail(repository.error());
    const TakesRequests serving_clients(orb), serving_owner(owner);
    announce_until_signal(*orb, (*repository)->reference(), settings.output, signals);
    (*repository)->stop();
    owner->destroy();
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    fail(failure.what());
  }
}

}  // namespace

void add_imr_serve(const Command& imr) {
  const auto settings = std::make_shared<RepositorySettings>();
  const Command serve =
      imr.add_command("serve",
                      "Serves an implementation repository at corbaloc::HOST:2812/TaktImr until "
                      "Ctrl-C. Prints its reference. Servers outlive it.");
  serve.add(
      "--store", settings->store,
      "SQLite file that stores servers and their processes; by default takt/imr.db in $XDG_STATE_HOME, or "
      "in ~/.local/state");
  serve.add_flag("--memory", settings->in_memory, "know servers until the process exits");
  serve.add(
      "--socket", settings->socket,
      "UNIX-domain socket for the owner's commands; by default takt/imr.socket in $XDG_STATE_HOME, or in "
      "~/.local/state");
  add_serving(serve, settings->serving, imr_endpoint);
  serve.add("-o,--output", settings->output, "file to write the reference to").show_default();
  serve
      .add("--registrations", settings->registrations,
           "from where servers of TAO and JacORB may register, which have no ticket: from nowhere (none), "
           "from processes of this user that listen on this machine (local), or from everyone who reaches "
           "the repository (network)")
      .one_of({"none", "local", "network"})
      .show_default();
  serve.add("--max-servers", settings->servers, "most servers").show_default();
  serve
      .add("--max-waiting", settings->waiting, "most requests that wait for one server; more raise TRANSIENT")
      .show_default();
  serve
      .add("--settled", settings->settled,
           "time after which a server that runs has no failures behind it any more",
           {std::chrono::milliseconds(1), std::chrono::hours(24)})
      .show_default();
  serve
      .add("--ping-timeout", settings->ping_timeout,
           "time for a server's answer to a ping; after that it counts as busy", call_times)
      .show_default();
  take_orb_options(serve, settings->serving.orb_options, "-ORBServiceNotify on");
  serve.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command
