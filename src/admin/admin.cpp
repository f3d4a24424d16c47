#include "admin/admin.h"

#include <chrono>
#include <string>

#include <takt/cdr/exception.h>

#include "admin/admin_object.h"
#include "admin/observation.h"
#include "concurrency/strategy/thread_per_connection.h"
#include "config/admin_options.h"
#include "os/poll/shared_poll.h"

namespace takt::admin {

using namespace std::chrono_literals;

// Connections may outlive the Admin if a thread of theirs does not end in time.
struct Admin::OwnServer {
  OwnServer(orb::Runtime& runtime, std::shared_ptr<Observation> observed, bool changes)
      : parts(runtime.shared_parts()),
        observation(std::move(observed)),
        object(runtime, *observation, changes),
        server(parts->protocol, parts->connections) {
    constexpr std::size_t most_connections = 16;
    server.options.connections = most_connections;
    server.options.connections_limit = "the object of -ORBAdmin";
    server.options.peer_connections = most_connections;
    server.options.send_timeout = 5s;
    server.options.idle_timeout = 30s;
    server.environment = &parts->decoding;
    server.dispatcher = &object;
    server.report = parts->server.report;
    server.log = parts->server.log;
  }

  const std::shared_ptr<orb::OrbParts> parts;
  const std::shared_ptr<Observation> observation;
  AdminObject object;
  server::Server server;
};

namespace {

std::shared_ptr<Observation> observe(orb::OrbParts& parts) {
  auto observation = std::make_shared<Observation>(parts.object_adapter, parts.probes.get());
  parts.observation = observation;
  parts.server.queues = observation.get();
  parts.server.pipeline.replace_last(*observation->dispatcher);
  return observation;
}

std::unique_ptr<server::ServerConcurrency> make_concurrency(std::shared_ptr<server::Server> server) {
  auto poll = os::SharedPoll::create();
  if (!poll)
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO,
                            "option -ORBAdmin: no descriptor is left to wait for requests (errno " +
                                std::to_string(poll.error()) + ")");
  return std::make_unique<server::ThreadPerConnection>(std::move(server), std::move(*poll));
}

}  // namespace

Admin::Admin(orb::Runtime& runtime)
    : Admin(runtime,
            orb::AdminOptions::of(runtime.settings().runtime.admin, runtime.parts().references.transports)) {}

Admin::Admin(orb::Runtime& runtime, const orb::AdminOptions& options)
    : own_(std::make_shared<OwnServer>(runtime, observe(runtime.parts()), options.changes)) {
  own_->server.become_part_of(own_);
  concurrency_ = make_concurrency(own_->server.shared());
  for (const std::string& endpoint : options.endpoints) runtime.server().listen_for(*concurrency_, endpoint);
}

Admin::~Admin() {
  if (concurrency_) concurrency_->stop(10s);
}

}  // namespace takt::admin
