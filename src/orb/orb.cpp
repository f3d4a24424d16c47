#include <takt/orb/orb.h>

#include <takt/reference/messaging.h>

#include "orb/orb_table.h"
#include "orb/runtime/runtime.h"
#include "orb/wiring/tls_setup.h"
#include "reference/object_ref.h"

namespace CORBA {

using namespace std::chrono_literals;

ORB::ORB(std::unique_ptr<takt::orb::Runtime> runtime) : runtime_(std::move(runtime)) {}
ORB::~ORB() = default;

std::string ORB::id() { return runtime_->settings().runtime.id; }

object_reference<Object> ORB::string_to_object(const std::string& text) {
  runtime_->require_up();
  return runtime_->from_text(text);
}

std::string ORB::object_to_string(object_reference<Object> object) {
  runtime_->require_up();
  return runtime_->to_text(object);
}

ORB::ObjectIdList ORB::list_initial_services() {
  runtime_->require_up();
  return runtime_->initial_references().names();
}

object_reference<Object> ORB::resolve_initial_references(const std::string& name) {
  runtime_->require_up();
  return runtime_->resolve(name);
}

void ORB::register_initial_reference(const std::string& name, object_reference<Object> object) {
  runtime_->require_up();
  if (!object) throw BAD_PARAM(omg_minor(27), COMPLETED_NO, "a nil initial reference");
  if (name.empty() || !runtime_->initial_references().add(name, std::move(object)))
    throw InvalidName(name.empty() ? "an initial reference needs a name"
                                   : "there is an initial reference '" + name + "' already");
}

object_reference<Object> ORB::unregister_initial_reference(const std::string& name) {
  runtime_->require_up();
  auto object = runtime_->initial_references().remove(name);
  if (!object) throw InvalidName("no program part has registered an initial reference '" + name + "'");
  return object;
}

void ORB::register_object_key(const std::string& key, object_reference<Object> object) {
  runtime_->require_up();
  auto& aliases = runtime_->parts().object_adapter.resolver.aliases;
  if (!object) {
    aliases.remove(key);
    return;
  }
  if (!object->_ref()) throw BAD_PARAM(0, COMPLETED_NO, "a local object cannot be reached by a key");
  runtime_->server().listen();
  aliases.set(key, std::move(object));
}

bool ORB::get_service_information(ServiceType /*type*/, ServiceInformation& /*information*/) {
  runtime_->require_up();
  return false;
}

void ORB::_adapters_complete() {
  runtime_->require_up();
  runtime_->parts().object_adapter.tree().adapters_complete();
}

void ORB::run() { runtime_->server().run(std::chrono::nanoseconds::max()); }

void ORB::run(std::chrono::nanoseconds& timeout) {
  const auto start = std::chrono::steady_clock::now();
  runtime_->server().run(timeout);
  timeout = std::max<std::chrono::nanoseconds>(timeout - (std::chrono::steady_clock::now() - start), 0ns);
}

bool ORB::work_pending() {
  runtime_->require_up();
  return runtime_->server().work_pending();
}

void ORB::perform_work() {
  runtime_->require_up();
  runtime_->server().run(1ms);
}

void ORB::shutdown(bool wait_for_completion) { runtime_->shut_down(wait_for_completion); }

void ORB::destroy() {
  if (runtime_->parts().client.process.is_other()) return;
  runtime_->parts().object_adapter.tree().refuse_in_request();
  if (!runtime_->mark_destroyed())
    throw OBJECT_NOT_EXIST(0, COMPLETED_NO, "the ORB has been destroyed already");
  takt::orb::forget_orb(*this);  // ORB_init makes another one of its name from now on
  runtime_->flush_log();         // now, as the end of the process will not find it
  runtime_->shut_down(true);
  runtime_->flush_log();
  runtime_->finish();
}

object_reference<Policy> ORB::create_policy(PolicyType type, const Any& value) {
  runtime_->require_up();
  if (const auto& interceptors = runtime_->parts().interceptors)
    if (auto made = interceptors->create_policy(type, value)) return made;
  return takt::reference::make_client_policy(type, value);
}

std::shared_ptr<ValueFactoryBase> ORB::register_value_factory(const std::string& id,
                                                              std::shared_ptr<ValueFactoryBase> factory) {
  runtime_->require_up();
  if (!factory) throw BAD_PARAM(0, COMPLETED_NO, "a nil value factory");
  return runtime_->parts().decoding.set_value_factory(id, std::move(factory));
}

std::shared_ptr<ValueFactoryBase> ORB::lookup_value_factory(const std::string& id) {
  runtime_->require_up();
  return runtime_->parts().decoding.value_factory(id);
}

void ORB::unregister_value_factory(const std::string& id) {
  runtime_->require_up();
  if (!runtime_->parts().decoding.set_value_factory(id, nullptr))
    throw BAD_PARAM(0, COMPLETED_NO, "no value factory is registered for " + id);
}

std::vector<std::string> ORB::_published_endpoints() {
  std::vector<std::string> all;
  for (const auto& endpoint : runtime_->parts().references.own_endpoints.published())
    all.push_back(takt::transport::to_text(endpoint));
  return all;
}

void ORB::_reload_certificates() {
  runtime_->require_up();
  takt::orb::reload_certificates(runtime_->parts().references);
}

takt::MemoryUse ORB::_server_memory() { return runtime_->parts().protocol.limits->server_memory->use(); }

takt::MemoryUse ORB::_client_memory() { return runtime_->parts().protocol.limits->client_memory->use(); }

std::uint64_t ORB::_requests_too_late() { return runtime_->parts().server.requests_too_late.load(); }

}  // namespace CORBA
