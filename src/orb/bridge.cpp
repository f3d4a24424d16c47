#include <takt/orb/bridge.h>

#include <utility>
#include <vector>

#include "connection/references/object_ref.h"
#include "connection/references/rewritten.h"
#include "invocation/relay/relay.h"
#include "orb/runtime.h"

namespace takt {

namespace {

// Its target, which is somebody else's.
const connection::Target& inner_target(const Bridge::Reference& object,
                                       std::shared_ptr<const connection::Target>& target) {
  if (!object || !object->_ref())
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "a bridge publishes references to objects elsewhere: this one is nil, or a local "
                           "object's");
  target = object->_ref()->target();
  if (target->routes.empty())
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "the reference to be published has no address that this ORB understands; takt ior "
                           "shows what it has");
  if (!target->local_key.empty())
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "the reference to be published leads to the bridge itself: publish the server's "
                           "own, and let the server not publish the bridge's address for it");
  return *target;
}

std::vector<std::uint8_t> octets_of(std::string_view text) { return {text.begin(), text.end()}; }

}  // namespace

Bridge::Bridge(CORBA::object_reference<CORBA::ORB> orb, std::shared_ptr<invocation::Relay> relay)
    : orb_(std::move(orb)), relay_(std::move(relay)) {}

Bridge Bridge::over(CORBA::object_reference<CORBA::ORB> orb) {
  if (!orb) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a nil ORB is no bridge");
  orb->runtime_->require_up();
  const auto parts = orb->runtime_->shared_parts();
  orb->runtime_->server().listen_as_bridge(std::make_unique<invocation::Relay>(*parts, *parts->dispatcher));
  return {std::move(orb), {parts, parts->relay.get()}};
}

Bridge::Reference Bridge::publish(Reference object, std::string_view key) {
  orb_->runtime_->require_up();
  std::shared_ptr<const connection::Target> target;
  const connection::Target& inner = inner_target(object, target);
  const auto& own_key = inner.routes.front().object_key;
  const auto outer_key = key.empty() ? own_key : octets_of(key);
  if (!relay_->targets().add(outer_key, inner.ior))
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "the object key " +
                               (key.empty() ? "of the reference" : "'" + std::string(key) + "'") +
                               " leads to another object of this bridge: give this one a key of its own");
  return connection::make_stub<CORBA::Object>(
      connection::make_outer_reference(orb_->runtime_->parts(), inner.ior, outer_key));
}

Bridge::Reference Bridge::publish_server(Reference object) {
  orb_->runtime_->require_up();
  std::shared_ptr<const connection::Target> target;
  const connection::Target& inner = inner_target(object, target);
  if (!relay_->targets().add_server(inner.ior))
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "a bridge has one server for all keys: a second one needs a bridge of its own");
  return connection::make_stub<CORBA::Object>(
      connection::make_outer_reference(orb_->runtime_->parts(), inner.ior, inner.routes.front().object_key));
}

Bridge::Counts Bridge::counts() const {
  const auto& counts = relay_->counts();
  return {.requests = counts.requests,
          .replies = counts.replies,
          .failures = counts.failures,
          .request_bytes = counts.request_bytes,
          .reply_bytes = counts.reply_bytes,
          .last_failure = relay_->last_failure()};
}

}  // namespace takt
