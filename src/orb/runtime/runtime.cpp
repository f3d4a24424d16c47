#include "orb/runtime/runtime.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include <takt/orb/orb.h>
#include <takt/reference/messaging.h>

#include "config/option_values.h"
#include "config/reports/run_record.h"
#include "orb/parts/parts.h"
#include "orb/runtime/naming_client.h"
#include "orb/server/thread_setup.h"
#include "orb/wiring/open_log.h"
#include "os/process/service_manager.h"
#include "probes/probe_files.h"
#include "reference/object_ref.h"
#include "reference/text/stringified_ior.h"

namespace takt::orb {

namespace {

constexpr int max_depth = 10;  // limit of URLs that refer to further URLs

[[noreturn]] void refuse_url(reference::UrlError error, const std::string& text, const char* why) {
  throw CORBA::BAD_PARAM(
      CORBA::omg_minor(static_cast<std::uint32_t>(error)), CORBA::COMPLETED_NO,
      std::string("'") + (text.size() > 200 ? text.substr(0, 200) + "..." : text) + "' " + why);
}

const char* reason(reference::UrlError error) {
  switch (error) {
    case reference::UrlError::bad_scheme:
      return "does not begin with IOR:, corbaloc:, corbaname: or file:; a reference in a file is "
             "file:///PATH";
    case reference::UrlError::bad_address:
      return "has an address that is not [iiop]:[MAJOR.MINOR@]HOST[:PORT]";
    case reference::UrlError::bad_specific_part:
      return "cannot be read after its scheme; `takt ior` says where it is damaged";
    case reference::UrlError::other:
      break;
  }
  return "is not an object reference";
}

// In a corbaloc or corbaname URL. If a colon is missing, the host is read as a protocol.
[[noreturn]] void refuse_protocol(const std::string& protocol) {
  refuse_url(
      reference::UrlError::bad_scheme, "corbaloc:" + protocol + ":",
      "names no protocol that this ORB knows, such as iiop or ssliop; if that is a host, it comes after "
      "two colons: corbaloc::HOST:PORT/KEY");
}

// Splits NAME=URL.
std::pair<std::string, std::string> named_url(const std::string& text, const char* option) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == std::string::npos)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           not_valid(std::string("option -ORB") + option, text, "it takes NAME=URL"));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void require_run_record(const Settings& settings) {
  if (settings.runtime.run_record.empty()) return;
  if (const auto failure = check_run_record(settings.runtime.run_record))
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO, *failure);
}

}  // namespace

Runtime::Runtime(const EffectiveSettings& effective)
    : settings_(with_open_log(effective.settings)),
      options_(effective),
      connections_at_start_(settings_.runtime.connect_at_start.empty()
                                ? nullptr
                                : std::make_shared<ConnectionsAtStart>(settings_)),
      parts_(make_parts(settings_)),
      server_(parts_, settings_) {
  if (connections_at_start_)
    parts_->server.before_serving = [connections = connections_at_start_] { connections->open(); };
  lock_memory(settings_);
  require_run_record(settings_);
  parts_->real_time->pools().set_host(&server_);
  parts_->operation_schedule.set_filters(server_.filters());
  add_built_in_references();
}

// For programs that exit without destroy().
Runtime::~Runtime() {
  upkeep_.reset();
  shut_down(false);
  dumps_.reset();
  parts_->real_time->pools().set_host(nullptr);
  flush_log();
}

void Runtime::flush_log() noexcept {
  constexpr std::chrono::seconds most{1};
  (void)settings_.log->flush(most);
}

void Runtime::apply_options() {
  if (settings_.calling.offers_connections)
    parts_->references.override_policies(
        {CORBA::make_reference<BiDirPolicy::BidirectionalPolicy>(BiDirPolicy::BOTH)},
        CORBA::SetOverrideType::SET_OVERRIDE);
  for (const std::string& text : settings_.runtime.init_refs) add_init_ref(text);
  initial_references_.set_default_url(settings_.runtime.default_init_ref);
  for (const std::string& text : settings_.runtime.object_keys) add_object_key(text);
}

namespace {
void require(bool is_chosen, const char* option, const char* part) {
  if (!is_chosen)
    throw CORBA::INITIALIZE(
        0, CORBA::COMPLETED_NO,
        std::string("option -ORB") + option + ": this program does without takt::add_" + part +
            "(); to build it with that and all the others, define `void takt::choose_parts(takt::Parts& "
            "parts) { takt::add_all(parts); }` in one of its sources (takt/orb/parts.h)");
}
}  // namespace

void Runtime::begin_upkeep(const EffectiveSettings& effective) {
  const RuntimeOptions& options = effective.settings.runtime;
  const Parts& chosen = chosen_parts();
  if (!options.admin.empty() && !options.admin.has_only(AdminWord::off)) {
    require(chosen.begin_admin, "Admin", "admin");
    admin_ = chosen.begin_admin(*this);
  }
  if (options.reflection) {
    require(chosen.begin_reflection, "Reflection", "reflection");
    chosen.begin_reflection(parts_->object_adapter.tree(), chosen);
  } else if (chosen.begin_repository) {
    chosen.begin_repository(*this);
  }
  const char* const option = !options.signals.empty()               ? "Signals"
                             : options.reload_interval.count() != 0 ? "ReloadInterval"
                             : options.service_notify               ? "ServiceNotify"
                                                                    : nullptr;
  const bool has_sockets = chosen.begin_upkeep && os::passed_descriptors() > 0;
  if (!option && !has_sockets) return;
  if (option) require(chosen.begin_upkeep, option, "upkeep");
  static_cast<void>(parts_->client.process.claim());  // the upkeep has a thread
  upkeep_ = chosen.begin_upkeep(*this, effective);
}

void Runtime::require_reactor() const {
  if (settings_.serving.reactor == ReactorKind::io_uring)
    require(chosen_parts().make_io_uring, "Reactor", "io_uring");
}

void Runtime::begin_recorder() {
  if (settings_.runtime.recorder_bytes == 0) return;
  require(chosen_parts().begin_recorder, "Recorder", "recorder");
  dumps_ = chosen_parts().begin_recorder(*parts_, settings_);
}

void Runtime::begin_tracing() {
  if (!parts_->references.options.traced) return;
  require(chosen_parts().begin_tracing, "Tracing", "tracing");
  parts_->tracing = chosen_parts().begin_tracing(*this);
}

void Runtime::add_init_ref(const std::string& text) {
  const auto [name, url] = named_url(text, "InitRef");
  initial_references_.add_url(name, url);
}

void Runtime::add_object_key(const std::string& text) {
  const auto [key, url] = named_url(text, "ObjectKey");
  try {
    parts_->object_adapter.resolver.aliases.set(key, from_text(url));
  } catch (const CORBA::BAD_PARAM& refused) {
    throw CORBA::BAD_PARAM(refused.minor(), refused.completed(),
                           "option -ORBObjectKey: " + std::string(refused.detail()));
  }
}

Runtime::Reference Runtime::resolve(const std::string& name, int depth) {
  std::string url;
  if (auto object = initial_references_.find(name, url)) return object;
  if (url.empty())
    throw CORBA::ORB::InvalidName("there is no initial reference '" + name + "'; -ORBInitRef " +
                                  (name.empty() ? "NAME" : name) +
                                  "=URL says where one is, as in corbaloc::HOST:2809/NameService");
  return from_text(url, depth + 1);
}

Runtime::Reference Runtime::from_text(const std::string& text, int depth) {
  if (depth > max_depth) refuse_url(reference::UrlError::other, text, "leads through too many other URLs");
  auto url = reference::parse_object_url(text);
  if (!url) refuse_url(url.error(), text, reason(url.error()));
  switch (url->scheme) {
    case reference::ObjectUrl::Scheme::ior:
      return reference::make_stub<CORBA::Object>(parts_->references.from_ior(std::move(url->ior)));
    case reference::ObjectUrl::Scheme::corbaloc:
      return from_addresses(*url, depth);
    case reference::ObjectUrl::Scheme::corbaname: {
      const Reference context = from_addresses(*url, depth);
      return url->name.empty() ? context : resolve_name(context, url->name);
    }
    case reference::ObjectUrl::Scheme::file:
      break;
  }
  return from_file(url->path, depth);
}

Runtime::Reference Runtime::from_addresses(const reference::ObjectUrl& url, int depth) {
  if (!url.is_initial_reference()) {
    cdr::Ior ior = reference::ior_of(url, "localhost");
    if (ior.profiles.empty()) refuse_protocol(url.addresses.front().protocol);
    return reference::make_stub<CORBA::Object>(parts_->references.from_ior(std::move(ior)));
  }
  const std::string name(url.key.begin(), url.key.end());
  try {
    return resolve(name, depth);
  } catch (const CORBA::ORB::InvalidName&) {
    refuse_url(reference::UrlError::other, "rir:/" + name, "names no initial reference; see -ORBInitRef");
  }
}

Runtime::Reference Runtime::from_file(const std::string& path, int depth) {
  std::ifstream file(path);
  std::ostringstream content;
  content << file.rdbuf();
  std::string text = content.str();
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!text.empty() && is_space(text.back())) text.pop_back();
  const auto begin = std::ranges::find_if_not(text, is_space);
  text.erase(text.begin(), begin);
  if (!file || text.empty())
    refuse_url(reference::UrlError::other, "file://" + path, "cannot be read, or is empty");
  if (const auto url = reference::parse_object_url(text);
      !url && url.error() == reference::UrlError::bad_scheme)
    refuse_url(url.error(), "file://" + path,
               "holds no object reference: it does not begin with IOR:, corbaloc:, corbaname: or file:");
  return from_text(text, depth + 1);
}

std::string Runtime::to_text(const Reference& object) {
  if (!object) return reference::ior_to_text({});
  if (!object->_ref())
    throw CORBA::MARSHAL(CORBA::omg_minor(4), CORBA::COMPLETED_NO, "a local object has no reference in text");
  return reference::ior_to_text(object->_ref()->ior());
}

void Runtime::shut_down(bool wait) {
  if (parts_->client.process.is_other()) return;
  if (wait) parts_->object_adapter.tree().refuse_in_request();
  if (connections_at_start_) connections_at_start_->clear();
  server_.stop();
  if (!wait) return;
  server_.wait_until_stopped();
  flush_log();
}

void Runtime::finish() {
  admin_.reset();
  dumps_.reset();
  parts_->object_adapter.resolver.aliases.drop_finder();  // which may refer to the ORB
  if (parts_->interceptors) parts_->interceptors->destroy();
  std::optional<std::string> failure;
  if (parts_->measuring_dispatcher) {
    const rt::ExecutionTimes& times = parts_->measuring_dispatcher->times();
    failure = write_run_record(
        settings_.runtime.run_record,
        {settings_.runtime.id, parts_->operation_schedule.runs(), times.figures(), times.left_out()});
  }
  if (parts_->probes && !failure)
    failure = probes::write_probe_files(settings_.runtime.time_probes, *parts_->probes, settings_.runtime.id);
  upkeep_.reset();  // last, so that signals do not end the process before
  if (failure) throw CORBA::PERSIST_STORE(0, CORBA::COMPLETED_YES, *failure);
}

void Runtime::require_up() const {
  if (destroyed_) throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the ORB has been destroyed");
  if (server_.stopping())
    throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(4), CORBA::COMPLETED_NO, "the ORB has been shut down");
}

}  // namespace takt::orb
