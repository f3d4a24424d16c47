#include <takt/orb/bridge.h>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "bridge/relay.h"
#include "config/key_secret.h"
#include "orb/runtime/runtime.h"
#include "reference/object_ref.h"
#include "reference/rewritten.h"

namespace takt {

namespace {

// The target of the object, which must not be in this ORB.
const reference::Target& inner_target(const Bridge::Reference& object,
                                      std::shared_ptr<const reference::Target>& target) {
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

transport::Endpoint place_of(const std::string& text, const transport::TransportRegistry& transports) {
  const auto colon = text.find(':');
  const auto* named = colon == std::string::npos ? nullptr : transports.find(text.substr(0, colon));
  const auto* const transport = named ? named : transports.find("iiop");
  const auto place = transport->parse(std::string_view(text).substr(named ? colon + 1 : 0));
  if (!place)
    throw CORBA::BAD_PARAM(
        0, CORBA::COMPLETED_NO,
        "'" + text + "' is not an endpoint that a bridge's references can have: " + place.error());
  return *place;
}

void add_places(reference::EndpointFilter& places, const std::vector<std::string>& texts,
                const transport::TransportRegistry& transports) {
  for (const std::string& text : texts) places.add(place_of(text, transports));
}

bridge::SealedKeys::Secret secret_of(const orb::Settings& settings) {
  if (settings.objects.key_secret_file.empty()) return bridge::SealedKeys::random_secret();
  return bridge::SealedKeys::derived_secret(orb::read_key_secret(settings.objects.key_secret_file));
}

std::optional<bridge::Rewriting> rewriting_of(Bridge::References references, orb::Runtime& runtime) {
  if (references.operations.empty()) {
    if (references.inside.empty() && references.outside.empty()) return std::nullopt;
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "a bridge that knows no operations rewrites no references: give it their types");
  }
  bridge::Rewriting rewriting;
  rewriting.operations = std::move(references.operations);
  add_places(*rewriting.inside, references.inside, runtime.parts().references.transports);
  add_places(*rewriting.outside, references.outside, runtime.parts().references.transports);
  rewriting.secret = secret_of(runtime.settings());
  rewriting.report = [warnings = runtime.settings().warnings](const std::string& text) {
    warnings.say(text);
  };
  return rewriting;
}

std::vector<std::uint8_t> octets_of(std::string_view text) { return {text.begin(), text.end()}; }

}  // namespace

Bridge::Bridge(CORBA::object_reference<CORBA::ORB> orb, std::shared_ptr<bridge::Relay> relay)
    : orb_(std::move(orb)), relay_(std::move(relay)) {}

Bridge Bridge::over(CORBA::object_reference<CORBA::ORB> orb, References references) {
  if (!orb) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a nil ORB cannot be a bridge");
  orb->runtime_->require_up();
  const auto parts = orb->runtime_->shared_parts();
  const auto relay =
      std::make_shared<bridge::Relay>(parts->references, rewriting_of(std::move(references), *orb->runtime_));
  orb->runtime_->server().listen_as_bridge(relay, [targets = &relay->targets()] { targets->clear(); });
  parts->relayed = &relay->counts();
  return {std::move(orb), {parts, relay.get()}};
}

Bridge::Reference Bridge::publish(Reference object, std::string_view key) {
  orb_->runtime_->require_up();
  std::shared_ptr<const reference::Target> target;
  const reference::Target& inner = inner_target(object, target);
  const auto& own_key = inner.routes.front().object_key;
  const auto outer_key = key.empty() ? own_key : octets_of(key);
  if (!relay_->targets().add(outer_key, inner.ior))
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "the object key " +
                               (key.empty() ? "of the reference" : "'" + std::string(key) + "'") +
                               " leads to another object of this bridge: give this one a key of its own");
  relay_->add_inside(inner);
  return reference::make_stub<CORBA::Object>(
      reference::make_bridged_reference(orb_->runtime_->parts().references, inner.ior, outer_key));
}

Bridge::Reference Bridge::publish_server(Reference object) {
  orb_->runtime_->require_up();
  std::shared_ptr<const reference::Target> target;
  const reference::Target& inner = inner_target(object, target);
  if (!relay_->targets().add_server(inner.ior))
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "a bridge has one server for all keys: a second one needs a bridge of its own");
  relay_->add_inside(inner);
  return reference::make_stub<CORBA::Object>(reference::make_bridged_reference(
      orb_->runtime_->parts().references, inner.ior, inner.routes.front().object_key));
}

Bridge::Counts Bridge::counts() const {
  const auto& passed = relay_->counts();
  Counts counts{.requests = passed.requests,
                .replies = passed.replies,
                .failures = passed.failures,
                .request_bytes = passed.request_bytes,
                .reply_bytes = passed.reply_bytes,
                .last_failure = relay_->last_failure()};
  if (const auto* const rewriter = relay_->rewriter()) {
    counts.references = rewriter->counts().rewritten;
    counts.references_kept = rewriter->counts().kept;
    counts.unread_bodies = rewriter->counts().unread;
  }
  return counts;
}

}  // namespace takt
