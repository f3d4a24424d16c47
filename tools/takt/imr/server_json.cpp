#include "imr/server_json.h"

namespace takt::command {
namespace {

const char* word_for(Takt::Activation::StartMode mode) {
  using Takt::Activation::StartMode;
  switch (mode) {
    case StartMode::normal:
      return "normal";
    case StartMode::manual:
      return "manual";
    case StartMode::per_client:
      return "per-client";
    case StartMode::automatic:
      return "automatic";
  }
  return "";
}

}  // namespace

const char* word_for(Takt::Activation::ServerPhase phase) {
  using Takt::Activation::ServerPhase;
  switch (phase) {
    case ServerPhase::stopped:
      return "stopped";
    case ServerPhase::starting:
      return "starting";
    case ServerPhase::running:
      return "running";
    case ServerPhase::stopping:
      return "stopping";
    case ServerPhase::pausing:
      return "pausing";
    case ServerPhase::failed:
      return "failed";
  }
  return "";
}

Takt::Activation::ServerList servers_of(Takt::Activation::Repository& repository) {
  Takt::Activation::ServerList all;
  try {
    for (auto part = repository.list_after(""); !part.empty();
         part = repository.list_after(all.back().name()))
      all.insert(all.end(), part.begin(), part.end());
  } catch (const CORBA::BAD_OPERATION&) {  // a repository of an earlier version
    return repository.list();
  }
  return all;
}

Json json_of_server(const Takt::Activation::Server& server) {
  Json processes = Json::array();
  for (const Takt::Activation::Process& each : server.processes())
    processes.push_back(
        {{"phase", word_for(each.phase())}, {"pid", each.pid()}, {"address", each.address()}});
  return {{"name", server.name()},
          {"mode", word_for(server.mode())},
          {"phase", word_for(server.phase())},
          {"processes", std::move(processes)},
          {"starts", server.starts()},
          {"failures", server.failures()},
          {"failures_in_a_row", server.in_a_row()},
          {"last_failure", server.last_failure()},
          {"waiting", server.waiting()},
          {"forwards", server.forwards()},
          {"refused", server.refused()},
          {"last_refusal", server.last_refusal()}};
}

}  // namespace takt::command
