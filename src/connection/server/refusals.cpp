#include "connection/server/refusals.h"

#include <string>

#include <takt/cdr/exception.h>

#include "connection/orb_core.h"
#include "connection/server/server_channel.h"
#include "os/error_text.h"

namespace takt::connection {

namespace {

void refuse_because(const std::string& why, std::unique_ptr<transport::Stream> stream, OrbCore& core) {
  if (core.tell) core.tell("connections are closed as soon as they come: " + why);
  ServerChannel::refuse(std::move(stream), core);
}

}  // namespace

void refuse_one_too_many(std::unique_ptr<transport::Stream> stream, OrbCore& core) {
  refuse_because(
      std::to_string(core.options.server_connections) + " are open, and -ORBMaxConnections allows no more",
      std::move(stream), core);
}

void refuse_one_too_many_of_peer(std::unique_ptr<transport::Stream> stream, OrbCore& core) {
  refuse_because(std::to_string(core.options.peer_connections) +
                     " of one peer's are open, and -ORBMaxConnectionsPerPeer allows no more",
                 std::move(stream), core);
}

void tell_version_refused(const giop::Event& error, OrbCore& core) {
  const unsigned least = core.options.limits->least_giop_minor;
  if (!core.tell || error.version.minor >= least) return;
  core.tell("messages of GIOP 1." + std::to_string(error.version.minor) +
            " are refused: -ORBMinGIOPVersion allows none below 1." + std::to_string(least));
}

void refuse_without_thread(std::unique_ptr<transport::Stream> stream, OrbCore& core, int error) {
  refuse_because("no thread can be started for them: " + std::string(os::error_text(error)),
                 std::move(stream), core);
}

void tell_not_accepted(transport::AcceptError error, OrbCore& core) {
  if (error == transport::AcceptError::exhausted && core.tell)
    core.tell("connections cannot be accepted: the process is out of descriptors (see ulimit -n) or memory");
}

void tell_lost(const std::exception& why, OrbCore& core) noexcept {
  try {
    if (core.tell)
      core.tell(std::string("a connection, or a request to a group, is given up: ") + why.what());
  } catch (const std::exception&) {  // there is no memory to say so
  }
}

void tell_not_taken(OrbCore& core) noexcept {
  try {
    if (core.tell)
      core.tell(
          "connections are closed whose clients do not read their replies: -ORBConnectionMemory, or "
          "-ORBServerMemory, allows no more to be kept");
  } catch (const std::exception&) {  // there is no memory to say so
  }
}

void throw_cannot_watch() {
  throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO,
                            "an endpoint cannot be listened to: the process is out of watches or memory");
}

}  // namespace takt::connection
