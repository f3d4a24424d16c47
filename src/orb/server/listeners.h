// The endpoints at which a server listens, and those that it publishes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <takt/transport/transport.h>

#include "config/listen_place.h"
#include "config/listening_report.h"
#include "config/settings.h"
#include "os/net/address.h"

namespace takt::orb {

// Open listeners that do not accept connections yet.
struct Listening {
  std::vector<std::unique_ptr<transport::Acceptor>> acceptors;
  // Endpoints of the acceptors; two acceptors that form one endpoint count as the first.
  std::vector<transport::Endpoint> bound;
  // Those that references may contain, with the hosts that they shall have there.
  std::vector<transport::Endpoint> published;
};

// Configured by the options. Any thread. Functions that listen throw INITIALIZE with the address if the
// system refuses.
class Listeners {
 public:
  using Report = ListeningReport::Report;

  // `transports` must outlive it. `report` passes remarks on the endpoints to the operator. Throws BAD_PARAM
  // for invalid options, even if the program never listens.
  Listeners(const transport::TransportRegistry& transports, const transport::StreamOptions& streams,
            transport::MarkingByPriority marking, const Settings& settings, Report report);

  // Listens at ListenEndpoints.
  Listening usual() const;
  // Listens at an endpoint in the form of ListenEndpoints. Throws BAD_PARAM.
  Listening at(std::string_view text) const;
  // Listens at the LaneEndpoints of the priority, or at new ports and paths beside the usual ones.
  Listening of_lane(std::int16_t priority) const;
  // Listens with those stream options, for that priority if given: beside the transport's usual endpoint,
  // or at any. `in_lane`: other options are those of a lane.
  Listening with_options(const transport::Transport& transport, const transport::StreamOverrides& streams,
                         std::optional<std::int16_t> priority, bool in_lane) const;

  // Whether references contain addresses of the listeners, and not those of PublishedEndpoints alone.
  bool publishes_own() const;
  // The addresses of these listeners that references may contain.
  std::vector<transport::Endpoint> own_addresses(const Listening& listening) const;
  // The endpoints to publish for these listeners. Ports and paths in PublishedEndpoints belong to
  // ListenEndpoints; for others (not `usual`) only the host counts. Throws BAD_PARAM.
  std::vector<transport::Endpoint> reachable(const Listening& listening, bool usual) const;

 private:
  using Places = std::vector<ListenPlace>;
  // Null if it listens.
  using Failure = std::optional<transport::ListenError>;
  Places parse(const std::vector<std::string>& texts, std::string_view option) const;
  std::vector<transport::Endpoint> parse_published(const std::vector<std::string>& texts) const;
  void open(Listening& listening, const ListenPlace& place, const transport::ListenOptions& options) const;
  Failure try_at(Listening& listening, const transport::Endpoint& endpoint,
                 const transport::ListenOptions& options) const;
  Failure try_each(Listening& listening, transport::Endpoint endpoint, const os::AddressList& addresses,
                   bool as_one, const transport::ListenOptions& options) const;
  // Places of the same hosts and transports, at ports and paths that the system chooses.
  ListenPlace beside(const ListenPlace& place) const;
  Listening open_all(const Places& places, const transport::ListenOptions& options) const;
  // The listen options for lanes of that priority.
  transport::ListenOptions options_of_lane(std::int16_t priority) const;
  void report_unmarked(const transport::MarkingByPriority& marking, std::string_view what,
                       std::int16_t priority) const;

  const transport::TransportRegistry& transports_;
  const Report report_;
  const transport::ListenOptions options_;
  const transport::MarkingByPriority marking_;
  const ListeningReport listening_report_;
  const Places usual_;
  const std::vector<transport::Endpoint> published_;  // one without a protocol stands for own addresses
  std::map<std::int16_t, Places> of_lanes_;
};

}  // namespace takt::orb
