// Where a server listens, and what clients are told of it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <takt/transport/transport.h>

#include "orb/config/settings.h"

namespace takt::orb {

// Open, and accepting nobody yet.
struct Listening {
  std::vector<std::unique_ptr<transport::Acceptor>> acceptors;
  std::vector<transport::Endpoint> bound;  // theirs; of two that are one endpoint, the first's
};

// As the options say. Any thread; whoever listens gets INITIALIZE if the system refuses, with a text that
// says on what.
class ListeningPlaces {
 public:
  using Tell = std::function<void(const std::string&)>;

  // `transports` must outlive it. `tell` gets what people may want to know of where it listens. BAD_PARAM for
  // options that will not do, even if nobody ever listens.
  ListeningPlaces(const transport::TransportRegistry& transports, const transport::StreamOptions& streams,
                  transport::MarkingByPriority marking, const Settings& settings, Tell tell);

  // ListenEndpoints.
  Listening usual() const;
  // As an item of ListenEndpoints has it; BAD_PARAM.
  Listening at(std::string_view text) const;
  // LaneEndpoints of the priority, or ports and paths of its own beside the usual ones.
  Listening of_lane(std::int16_t priority) const;
  // By one transport with streams of its own, of that priority if of any: beside where that listens, or
  // anywhere. `in_lane`: the streams are of a lane otherwise.
  Listening special(const transport::Transport& transport, const transport::StreamOverrides& streams,
                    std::optional<std::int16_t> priority, bool in_lane) const;

  // PublishedEndpoints says what clients can connect to.
  bool told_what_to_publish() const { return !published_.empty(); }
  // What clients can connect to, of where this listens. The ports and paths of PublishedEndpoints are those
  // of ListenEndpoints: elsewhere (not `usual`) only their addresses count. BAD_PARAM.
  std::vector<transport::Endpoint> reachable(const std::vector<transport::Endpoint>& bound, bool usual) const;

 private:
  using Endpoints = std::vector<transport::Endpoint>;
  Endpoints parse(const std::vector<std::string>& texts, std::string_view option) const;
  void open(Listening& listening, const transport::Endpoint& endpoint,
            const transport::ListenOptions& options) const;
  void open_local(Listening& listening, const transport::Endpoint& endpoint,
                  const transport::ListenOptions& options) const;
  Listening open_all(const Endpoints& endpoints, const transport::ListenOptions& options) const;
  // As lanes of that priority have them.
  transport::ListenOptions options_of_lane(std::int16_t priority) const;
  void tell_unmarked(const transport::MarkingByPriority& marking, std::string_view what,
                     std::int16_t priority) const;

  const transport::TransportRegistry& transports_;
  const Tell tell_;
  const transport::ListenOptions options_;
  const transport::MarkingByPriority marking_;
  const bool certificates_required_;
  const Endpoints usual_, published_;
  std::map<std::int16_t, Endpoints> of_lanes_;
};

}  // namespace takt::orb
