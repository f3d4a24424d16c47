// takt naming: runs a naming service.
#include <fstream>
#include <iostream>
#include <memory>
#include <string>

#include <takt/corba.h>

#include "common/command.h"
#include "common/files.h"
#include "common/orb.h"
#include "common/serving.h"
#include "naming/etcd_http.h"
#include "naming/etcd_url.h"
#include "naming/import/omninames.h"
#include "naming/service/naming_service.h"
#include "naming_cluster/cluster/cluster.h"

namespace takt::command {
namespace {

constexpr const char* naming_endpoint = "iiop://localhost:2809";

struct NamingSettings {
  std::string store, output = "-", import;
  Serving serving;
  bool in_memory = false;
  naming::Limits limits;
  std::uint64_t bindings = limits.bindings, contexts = limits.contexts, iterators = limits.iterators,
                components = limits.components, component_bytes = limits.component_bytes,
                reference_bytes = limits.reference_bytes, listed = limits.listed,
                federated_calls = limits.federated_calls, total_bytes = limits.total_bytes;
  std::chrono::nanoseconds iterator_idle = std::chrono::minutes(5),
                           federated_timeout = std::chrono::seconds(5);
  EtcdTls etcd_tls;
  std::string etcd_user, etcd_password_file;
  std::chrono::nanoseconds staleness = std::chrono::seconds(10), etcd_timeout = std::chrono::seconds(10);
};

naming::Limits limits_of(const NamingSettings& settings) {
  using namespace std::chrono;
  return {.component_bytes = settings.component_bytes,
          .components = number_up_to(1'000'000, settings.components, "--max-components"),
          .reference_bytes = settings.reference_bytes,
          .bindings = settings.bindings,
          .total_bytes = settings.total_bytes,
          .contexts = settings.contexts,
          .listed = number_up_to(1'000'000, settings.listed, "--max-listed"),
          .iterators = number_up_to(1'000'000, settings.iterators, "--max-iterators"),
          .iterator_idle = duration_cast<milliseconds>(settings.iterator_idle),
          .federated_calls = settings.federated_calls,
          .federated_timeout = duration_cast<milliseconds>(settings.federated_timeout)};
}

void report_etcd_state(const std::string& why_not) {
  if (why_not.empty())
    std::cerr << "takt naming: etcd answers again\n";
  else
    std::cerr << "takt naming: etcd does not answer: " << why_not
              << "; changes raise PERSIST_STORE, and names are resolved for --max-staleness\n";
}

// The password is the file's first line.
etcd::Credentials credentials_of(const NamingSettings& settings) {
  if (settings.etcd_user.empty() != settings.etcd_password_file.empty())
    fail("--etcd-user and --etcd-password-file are given together");
  if (settings.etcd_user.empty()) return {};
  etcd::Credentials credentials{.user = settings.etcd_user, .password = {}};
  std::ifstream file(settings.etcd_password_file);
  if (!std::getline(file, credentials.password))
    fail("--etcd-password-file: " + settings.etcd_password_file + " has no line that can be read");
  if (credentials.password.ends_with('\r')) credentials.password.pop_back();
  return credentials;
}

naming::NamingService::Keeper cluster_of(const NamingSettings& settings) {
  const auto url = parsed_etcd_url(settings.store);
  if (!url) fail(url.error());
  using namespace std::chrono;
  naming::ClusterOptions options{.urls = url->members,
                                 .credentials = credentials_of(settings),
                                 .prefix = url->prefix,
                                 .staleness = duration_cast<milliseconds>(settings.staleness),
                                 .timeout = duration_cast<milliseconds>(settings.etcd_timeout),
                                 .limits = limits_of(settings),
                                 .report = report_etcd_state};
  return [options, tls = settings.etcd_tls](
             naming::Tree& tree,
             naming::TreeMutex& mutex) -> std::expected<std::unique_ptr<naming::Changes>, std::string> {
    auto cluster = naming::Cluster::start(tree, mutex, etcd_http(tls), options);
    if (!cluster) return std::unexpected("etcd: " + cluster.error());
    return std::move(*cluster);
  };
}

std::unique_ptr<naming::NamingService> service_for(const NamingSettings& settings, const std::string& store,
                                                   const IDL::traits<CORBA::ORB>::ref_type& orb) {
  naming::NamingService::Options options{
      .store = store,
      .limits = limits_of(settings),
      .report = report_of_store("takt naming", "changes raise PERSIST_STORE, and names are still resolved")};
  if (is_etcd_url(settings.store)) options.keeper = cluster_of(settings);
  std::optional<naming::ImportedNames> imported;
  if (!settings.import.empty()) {
    const auto text = read_file(settings.import);
    if (!text) fail(cannot_be_read(settings.import));
    auto names = naming::read_omninames(*text, options.limits);
    if (!names) fail(settings.import + ": " + names.error());
    imported = std::move(*names);
    options.imported = &*imported;
  }
  auto service = naming::NamingService::start(orb, options);
  if (!service) fail(service.error());
  if (imported)
    std::cerr << "imported " << (*service)->imported().bindings << " bindings and "
              << (*service)->imported().contexts << " new contexts\n";
  return std::move(*service);
}

void run(const NamingSettings& settings) {
  const std::string store = is_etcd_url(settings.store) && !settings.in_memory
                                ? ""
                                : store_file(settings.in_memory, settings.store, "naming.db", "bindings");
  const AwaitedSignals signals{SIGINT, SIGTERM};
  try {
    const auto orb = serving_orb(settings.serving, naming_endpoint, "takt naming");
    const auto service = service_for(settings, store, orb);
    const TakesRequests serving(orb);
    announce_until_signal(*orb, service->root(), settings.output, signals);
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    fail(failure.what());
  }
}

void add_limits(const Command& naming, NamingSettings& settings) {
  naming.add("--max-bindings", settings.bindings, "most bindings in all contexts; more raise IMP_LIMIT")
      .show_default();
  naming.add("--max-contexts", settings.contexts, "most contexts; more raise IMP_LIMIT").show_default();
  naming.add("--max-components", settings.components, "most components of a name; more raise InvalidName")
      .show_default();
  naming
      .add_size("--max-component-octets", settings.component_bytes,
                "most octets of a component's id and kind together; more raise InvalidName")
      .show_default();
  naming
      .add_size("--max-reference-octets", settings.reference_bytes,
                "most octets of a bound reference; more raise IMP_LIMIT")
      .show_default();
  naming.add("--max-listed", settings.listed, "most bindings in one reply; the iterator returns the rest")
      .show_default();
  naming
      .add_size("--max-total-octets", settings.total_bytes,
                "most octets of all names and references together; more raise IMP_LIMIT")
      .show_default();
  naming
      .add("--max-iterators", settings.iterators,
           "most iterators; a new one replaces the least recently used")
      .show_default();
  naming
      .add("--iterator-idle", settings.iterator_idle, "time after which an unused iterator is destroyed",
           {std::chrono::milliseconds(100), longest_interval})
      .show_default();
  naming
      .add("--max-federated-calls", settings.federated_calls,
           "most concurrent calls to other naming services; more raise TRANSIENT")
      .show_default();
  naming
      .add("--federated-timeout", settings.federated_timeout,
           "time for each such call; after that, CannotProceed", call_times)
      .show_default();
}

void add_cluster_options(const Command& naming, NamingSettings& settings) {
  naming
      .add("--max-staleness", settings.staleness,
           "with etcd: names are resolved from memory if that is at most this old; 0s: each call asks etcd "
           "first whether it is current",
           {std::chrono::nanoseconds(0), longest_interval})
      .show_default();
  naming
      .add("--etcd-timeout", settings.etcd_timeout,
           "with etcd: time for a change, also while a leader is elected; after that, PERSIST_STORE",
           {std::chrono::milliseconds(100), std::chrono::minutes(10)})
      .show_default();
  naming.add(
      "--etcd-ca", settings.etcd_tls.authorities,
      "with etcds: PEM file with the authorities of etcd's certificates; by default those of the system");
  naming.add("--etcd-cert", settings.etcd_tls.certificate,
             "with etcds: PEM file with this service's certificate");
  naming.add("--etcd-key", settings.etcd_tls.key, "with etcds: PEM file with the key of that certificate");
  naming.add("--etcd-user", settings.etcd_user,
             "with etcd: a user of etcd who may read and write all keys with the prefix");
  naming.add("--etcd-password-file", settings.etcd_password_file,
             "with etcd: file whose first line is the user's password");
}

}  // namespace

void add_naming(const Command& program) {
  const auto settings = std::make_shared<NamingSettings>();
  const Command naming = program.add_command(
      "naming",
      "Serves a naming service at corbaloc::HOST:2809/NameService until Ctrl-C. Prints its reference.");
  naming.add("--store", settings->store,
             "SQLite file that stores the bindings; by default takt/naming.db in $XDG_STATE_HOME, or in "
             "~/.local/state. etcd://HOST[:PORT][,HOST[:PORT]...][/PREFIX], or etcds:// with TLS: several "
             "services share the bindings in etcd");
  naming.add_flag("--memory", settings->in_memory, "keep bindings in memory only, until the process exits");
  add_serving(naming, settings->serving, naming_endpoint);
  naming.add("-o,--output", settings->output, "file to write the reference to").show_default();
  naming.add("--import-omninames", settings->import,
             "omniNames data file or log, whose bindings are imported before the first request");
  add_limits(naming, *settings);
  add_cluster_options(naming, *settings);
  take_orb_options(naming, settings->serving.orb_options, "-ORBServerConcurrency leader-followers");
  naming.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command
