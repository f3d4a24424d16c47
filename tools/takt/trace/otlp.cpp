#include "trace/otlp.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

namespace takt::command {
namespace {

constexpr int error_status = 2;  // Status.StatusCode

Json text_attribute(const char* key, const std::string& value) {
  return {{"key", key}, {"value", {{"stringValue", value}}}};
}

// 64-bit numbers are texts in the JSON encoding.
Json number_attribute(const char* key, std::uint64_t value) {
  return {{"key", key}, {"value", {{"intValue", std::to_string(value)}}}};
}

// OpenTelemetry's names: an address of the network or a path is the peer's own, a name is that of the server.
void add_peer(Json& attributes, const std::string& peer) {
  constexpr std::string_view process = "process ";
  if (peer.empty()) return;
  if (peer.starts_with(process)) {  // a client of a UNIX-domain socket, which has no name
    attributes.push_back(text_attribute("takt.peer.process", peer.substr(process.size())));
    return;
  }
  const auto colon = peer.rfind(':');
  std::uint16_t port = 0;
  const char* const end = peer.data() + peer.size();
  if (colon == std::string::npos || peer[0] == '/' || peer[0] == '@' ||
      std::from_chars(peer.data() + colon + 1, end, port).ptr != end) {
    attributes.push_back(text_attribute("network.peer.address", peer));
    return;
  }
  std::string host = peer.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const bool numeric =
      host.find_first_not_of("0123456789.") == std::string::npos || host.find(':') != std::string::npos;
  const std::string kind = numeric ? "network.peer" : "server";
  attributes.push_back(text_attribute((kind + ".address").c_str(), host));
  attributes.push_back(number_attribute((kind + ".port").c_str(), port));
}

Json resource_of(const TracedProcess& process) {
  Json attributes = Json::array(
      {text_attribute("service.name", process.program.empty() ? "unknown_service" : process.program),
       number_attribute("process.pid", process.process), text_attribute("host.name", process.host)});
  if (!process.orb.empty()) attributes.push_back(text_attribute("takt.orb", process.orb));
  return {{"attributes", std::move(attributes)}};
}

Json span_of(const TracedSpan& span) {
  constexpr std::uint8_t internal = 1;
  Json attributes = Json::array({number_attribute("thread.id", span.thread)});
  if (span.kind != internal) {
    attributes.push_back(text_attribute("rpc.system", "corba"));
    attributes.push_back(text_attribute("rpc.method", span.name));
  }
  add_peer(attributes, span.peer);
  Json json = {{"traceId", hex_id(span.trace)},
               {"spanId", hex_id(span.span)},
               {"name", span.name},
               {"kind", span.kind},
               {"startTimeUnixNano", std::to_string(span.start_ns)},
               {"endTimeUnixNano", std::to_string(span.start_ns + span.duration_ns)},
               {"attributes", std::move(attributes)}};
  if (std::ranges::any_of(span.parent, [](std::uint8_t octet) { return octet != 0; }))
    json["parentSpanId"] = hex_id(span.parent);
  if (span.failed) json["status"] = {{"code", error_status}, {"message", span.failure}};
  return json;
}

}  // namespace

Json as_otlp(const std::vector<const TracedSpan*>& spans, const std::vector<TracedProcess>& processes) {
  std::map<std::size_t, Json> by_process;
  for (const TracedSpan* const span : spans) {
    const auto [at, is_new] = by_process.try_emplace(span->process, Json::array());
    at->second.push_back(span_of(*span));
  }
  Json resources = Json::array();
  for (auto& [process, of_process] : by_process)
    resources.push_back(
        {{"resource", resource_of(processes[process])},
         {"scopeSpans", Json::array({{{"scope", {{"name", "takt"}}}, {"spans", std::move(of_process)}}})}});
  return {{"resourceSpans", std::move(resources)}};
}

// The reply of a collector that takes all is {} or {"partialSuccess": {}}.
std::string rejected_by(const std::string& reply) {
  const Json json = Json::parse(reply, nullptr, false);
  if (!json.is_object() || !json.contains("partialSuccess") || !json["partialSuccess"].is_object()) return {};
  const Json& partial = json["partialSuccess"];
  const Json rejected = partial.value("rejectedSpans", Json("0"));
  const std::string count = rejected.is_string() ? rejected.get<std::string>() : rejected.dump();
  if (count == "0") return {};
  const Json message = partial.value("errorMessage", Json(""));
  return count + " spans: " + (message.is_string() ? message.get<std::string>() : message.dump());
}

}  // namespace takt::command
