// takt metrics: serves the state of ORBs to Prometheus.
#include <algorithm>
#include <csignal>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <numeric>

#include "admin/http_server.h"
#include "admin/prometheus.h"
#include "admin/recent_page.h"
#include "admin/source.h"
#include "common/command.h"
#include "common/orb.h"
#include "common/side_by_side.h"
#include "events/metrics.h"
#include "events/rt_metrics.h"
#include "imr/metrics.h"
#include "imr/server_json.h"
#include "ior/target.h"
#include "name/metrics.h"
#include "notify/metrics.h"
#include "os/net/address.h"
#include "stream/metrics.h"
#include "trade/metrics.h"

namespace takt::command {
namespace {

constexpr std::uint32_t most_ring_readers = 256;  // each has samples of its own

struct MetricsSettings {
  std::vector<std::string> orbs, events, rt_events, notify, repositories, traders, devices, naming;
  std::string listen = "localhost:9464";
  std::chrono::nanoseconds timeout = std::chrono::seconds(2);
  std::vector<std::string> orb_options;
  bool once = false;
};

struct Place {
  std::string host;
  std::uint16_t port;
};

Place place_of(const std::string& text) {
  const auto colon = text.rfind(':');
  std::string host = text.substr(0, colon == std::string::npos ? 0 : colon);
  const std::string digits = text.substr(colon == std::string::npos ? 0 : colon + 1);
  const bool is_number =
      !digits.empty() && digits.size() <= 5 && digits.find_first_not_of("0123456789") == std::string::npos;
  const unsigned long port = is_number ? std::stoul(digits) : 65536;
  if (port > 65535)
    fail("--listen " + text + ": it takes HOST:PORT, with a port from 0 to 65535; 0 is any free one");
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return {host, static_cast<std::uint16_t>(port)};
}

template <class Service>
using Services = std::vector<std::pair<std::string, CORBA::object_reference<Service>>>;

template <class Service>
Services<Service> services_at(const ClientOrb& orb, const std::vector<std::string>& targets) {
  Services<Service> services;
  for (const std::string& each : targets)
    services.emplace_back(each, IDL::traits<Service>::unchecked_narrow(object_at(orb, reference_text(each))));
  return services;
}

// One write, since several threads say why a target does not answer.
void say(const std::string& target, const std::string& why) {
  std::cerr << "takt metrics: " + target + ": " + why + "\n" << std::flush;
}

// Asks each service; one that does not answer has no state.
template <class Observed, class Service, class Ask>
std::string metrics_page(const Services<Service>& services, const Ask& ask) {
  std::vector<Observed> observed(services.size());
  side_by_side(services.size(), [&](std::size_t i) {
    const auto& [name, service] = services[i];
    observed[i].target = name;
    try {
      ask(*service, observed[i]);
    } catch (const CORBA::Exception& failure) {
      say(name, failure.what());
    }
  });
  return prometheus_text(observed);
}

// Services of events whose state is asked for by look(), with that many clients.
template <class Observed, class Service>
std::string page_of_events(const Services<Service>& services, std::uint32_t most_clients = 0) {
  return metrics_page<Observed>(
      services, [=](Service& service, Observed& into) { into.state = service.look(most_clients); });
}

// Traders, devices and naming services.
template <class Observed, class Service>
std::string page_of_state(const Services<Service>& services) {
  return metrics_page<Observed>(services,
                                [](Service& service, Observed& into) { into.state = service.look(); });
}

std::string page_of_repositories(const Services<Takt::Activation::Repository>& repositories) {
  return metrics_page<ObservedRepository>(
      repositories, [](Takt::Activation::Repository& repository, ObservedRepository& into) {
        into.servers = servers_of(repository);
      });
}

std::string page_of_all(const std::vector<AdminSource>& sources) {
  if (sources.empty()) return {};
  std::vector<Observed> orbs(sources.size());
  side_by_side(sources.size(), [&](std::size_t i) {
    orbs[i].target = sources[i].name();
    try {
      orbs[i].state = sources[i].look();
    } catch (const CORBA::SystemException& failure) {
      say(orbs[i].target, why_no_state(failure));
    }
  });
  return prometheus_text(orbs);
}

void refuse_twice(const std::vector<std::string>& targets, const char* what) {
  for (auto each = targets.begin(); each != targets.end(); ++each)
    if (std::find(targets.begin(), each, *each) != each)
      fail("'" + *each + "' is given twice; each " + what + " is one target");
}

void run(const MetricsSettings& settings) {
  const Place place = place_of(settings.listen);
  refuse_twice(settings.orbs, "ORB");
  refuse_twice(settings.events, "event service");
  refuse_twice(settings.rt_events, "real-time event channel");
  refuse_twice(settings.notify, "notification service");
  refuse_twice(settings.repositories, "repository");
  refuse_twice(settings.traders, "trader");
  refuse_twice(settings.devices, "device");
  refuse_twice(settings.naming, "naming service");
  const AwaitedSignals signals({SIGINT, SIGTERM});
  // Connections outlive the threads that ask.
  std::vector<std::string> options{"-ORBClientConnections", "cached"};
  options.insert(options.end(), settings.orb_options.begin(), settings.orb_options.end());
  const ClientOrb orb(settings.timeout, options);
  std::vector<AdminSource> sources;
  for (const std::string& each : settings.orbs) sources.emplace_back(orb, each);
  const auto services = services_at<Takt::Events::Service>(orb, settings.events);
  const auto channels = services_at<Takt::RtEvents::Service>(orb, settings.rt_events);
  const auto notification = services_at<Takt::Notification::Service>(orb, settings.notify);
  const auto repositories = services_at<Takt::Activation::Repository>(orb, settings.repositories);
  const auto traders = services_at<Takt::Trading::Service>(orb, settings.traders);
  const auto devices = services_at<Takt::Streams::Service>(orb, settings.devices);
  const auto naming = services_at<Takt::Naming::Service>(orb, settings.naming);
  if (sources.empty() && services.empty() && channels.empty() && notification.empty() &&
      repositories.empty() && traders.empty() && devices.empty() && naming.empty())
    sources.emplace_back(orb, "");
  const std::function<std::string()> parts[] = {
      [&] { return page_of_all(sources); },
      [&] { return page_of_events<ObservedEvents>(services); },
      [&] { return page_of_events<ObservedRtEvents>(channels, most_ring_readers); },
      [&] { return page_of_events<ObservedNotification>(notification); },
      [&] { return page_of_repositories(repositories); },
      [&] { return page_of_state<ObservedTrader>(traders); },
      [&] { return page_of_state<ObservedDevice>(devices); },
      [&] { return page_of_state<ObservedNaming>(naming); },
  };
  const auto page = [&] {
    std::string texts[std::size(parts)];
    side_by_side(std::size(parts), [&](std::size_t i) { texts[i] = parts[i](); });
    return std::accumulate(std::begin(texts), std::end(texts), std::string());
  };
  if (settings.once) {
    std::cout << page() << std::flush;
    return;
  }
  RecentPage recent(page);
  const HttpServer server(place.host, place.port, [&] { return recent.text(); });
  std::cout << "serving http://" << os::host_and_port(place.host.empty() ? "*" : place.host, server.port())
            << "/metrics" << std::endl;
  signals.wait();
}

}  // namespace

void add_metrics(const Command& program) {
  const auto settings = std::make_shared<MetricsSettings>();
  const Command metrics =
      program.add_command("metrics", "Serves the state of ORBs with -ORBAdmin to Prometheus.");
  metrics.add("orbs", settings->orbs,
              "admin endpoints, such as unix:/run/server/admin or iiop://localhost:2810; or references");
  metrics
      .add("--events", settings->events,
           "event services of takt events serve too, such as corbaloc::localhost:11169/TaktEvents")
      .one_at_a_time();
  metrics
      .add("--rt-events", settings->rt_events,
           "channels of takt events rt too, such as corbaloc::localhost:11170/TaktRtEvents")
      .one_at_a_time();
  metrics
      .add("--notify", settings->notify,
           "services of takt notify serve too, such as corbaloc::localhost:11171/TaktNotification")
      .one_at_a_time();
  metrics
      .add("--imr", settings->repositories,
           "repositories of takt imr serve too, such as corbaloc::localhost:2812/TaktImr")
      .one_at_a_time();
  metrics
      .add("--trading", settings->traders,
           "traders of takt trade serve too, such as corbaloc::localhost:2813/TaktTrading")
      .one_at_a_time();
  metrics
      .add("--streams", settings->devices,
           "devices of takt stream receive too, such as corbaloc::localhost:2814/TaktStreams")
      .one_at_a_time();
  metrics
      .add("--naming", settings->naming,
           "services of takt naming too, such as corbaloc::localhost/TaktNaming")
      .one_at_a_time();
  metrics.add("--listen", settings->listen, "HOST:PORT for Prometheus; without a host, all addresses")
      .show_default();
  metrics
      .add("--timeout", settings->timeout, "time to wait for a connection, and for an answer of an ORB",
           call_times)
      .show_default();
  metrics.add_flag("--once", settings->once, "print the metrics once, and serve nothing");
  take_orb_options(metrics, settings->orb_options, "-ORBTLSAuthorities authority.pem");
  metrics.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command
