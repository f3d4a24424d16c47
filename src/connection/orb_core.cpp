#include "connection/orb_core.h"

#include <algorithm>
#include <cerrno>

#include <takt/cdr/exception.h>

#include "connection/bidirectional/bidirectional.h"
#include "connection/policies/overrides.h"
#include "connection/probes/probed_stream.h"
#include "connection/references/object_ref.h"
#include "connection/references/profiles.h"
#include "os/net/unix_socket.h"
#include "os/shared_memory/machine_identity.h"

namespace takt::connection {

giop::compression::MethodList CoreOptions::methods_of(const giop::Messaging& wanted) const {
  if (!wanted.compression) return {};
  const std::string_view names = wanted.methods.text();
  if (names.empty()) return methods;
  const auto named = all_methods->named(names);
  if (!named)
    throw CORBA::INV_POLICY(0, CORBA::COMPLETED_NO, "takt::CompressedProtocolProperties: " + named.error());
  return *named;
}

std::unique_ptr<giop::compression::Compressor> CoreOptions::compressor_for(
    const giop::Messaging& wanted, std::uint16_t own_expansion) const {
  if (!wanted.compression) return nullptr;
  return std::make_unique<giop::compression::Compressor>(compression, own_expansion, methods_of(wanted));
}

giop::compression::OfferData CoreOptions::offer_for(const giop::Messaging& wanted,
                                                    std::uint16_t own_expansion) const {
  if (!wanted.compression) return {};
  return {own_expansion, methods_of(wanted)};
}

OrbCore::OrbCore()
    : host_name(os::host_name()),
      machine(os::machine_identity()),
      process(os::process_identity()),
      channels_(std::make_shared<ChannelRegistry>()) {}
OrbCore::~OrbCore() = default;

void OrbCore::publish(std::vector<transport::Endpoint> endpoints) {
  std::lock_guard lock(mutex_);
  published_ = std::move(endpoints);
}

std::vector<transport::Endpoint> OrbCore::published() const {
  std::lock_guard lock(mutex_);
  return published_;
}

void OrbCore::add_own(const std::vector<transport::Endpoint>& endpoints, const giop::Messaging& messaging) {
  std::lock_guard lock(mutex_);
  for (const transport::Endpoint& endpoint : endpoints) own_.push_back({endpoint, messaging});
}

giop::Messaging OrbCore::messaging_at(const transport::Endpoint& endpoint) const {
  std::lock_guard lock(mutex_);
  const auto own = std::ranges::find(own_, endpoint, &Own::endpoint);
  return own == own_.end() ? options.messaging : own->messaging;
}

bool OrbCore::is_ours(const transport::Endpoint& endpoint) const {
  std::lock_guard lock(mutex_);
  return std::ranges::find(published_, endpoint) != published_.end() ||
         std::ranges::find(own_, endpoint, &Own::endpoint) != own_.end();
}

std::shared_ptr<ObjectRef> OrbCore::make_reference(std::string type_id, ByteView object_key,
                                                   const Publication* where) {
  cdr::Ior ior{std::move(type_id), make_profiles(*this, object_key, where)};
  auto target = make_target(*this, std::move(ior), object_key);
  return std::make_shared<ObjectRef>(shared_from_this(), std::move(target));
}

std::shared_ptr<ObjectRef> OrbCore::from_ior(cdr::Ior ior) {
  if (ior.type_id.empty() && ior.profiles.empty()) return nullptr;
  return std::make_shared<ObjectRef>(shared_from_this(), make_target(*this, std::move(ior)));
}

transport::ConnectResult OrbCore::connect(const transport::Endpoint& endpoint,
                                          std::chrono::steady_clock::time_point deadline,
                                          const transport::StreamOptions& stream_options) {
  transport::Transport* const transport = transports.find(endpoint.protocol);
  if (!transport)
    return std::unexpected(
        transport::ConnectError{transport::ConnectError::Phase::connect, EPROTONOSUPPORT,
                                transport::to_text(endpoint) + ": no such transport here"});
  auto stream = transport->connect(endpoint, deadline, stream_options);
  if (stream) stream = probed_stream(std::move(*stream), ProbedSide::client, probes);
  return stream;
}

std::shared_ptr<const Overrides> OrbCore::overrides() const {
  std::lock_guard lock(mutex_);
  return overrides_;
}

void OrbCore::override_policies(const CORBA::PolicyList& policies, CORBA::SetOverrideType set_add) {
  std::lock_guard lock(mutex_);
  overrides_ = Overrides::changed(overrides_, policies, set_add);
  begin_generation();
}

void OrbCore::shut_down() {
  down_.store(true, std::memory_order_relaxed);
  channels_->shut_down();
}

}  // namespace takt::connection
