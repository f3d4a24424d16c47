#include "config/admin_options.h"

#include <algorithm>

#include <takt/cdr/exception.h>

#include "config/endpoints.h"
#include "config/option_values.h"

namespace takt::orb {
namespace {

constexpr const char* usual_endpoint = "iiop://localhost:2810";

bool stays_on_this_machine(const transport::Endpoint& endpoint, const transport::Transport& transport) {
  return !transport.profile_form().has_port || is_within_machine(endpoint.host);
}

[[noreturn]] void refuse(const std::string& word, const std::string& why) {
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, not_valid("option -ORBAdmin", word, why));
}

}  // namespace

AdminOptions AdminOptions::of(const OptionSet<AdminWord>& words,
                              const transport::TransportRegistry& transports) {
  if (words.has(AdminWord::off)) refuse("off", "off stands alone");
  AdminOptions options;
  options.changes = words.has(AdminWord::changes);
  const bool remote = words.has(AdminWord::remote);
  if (words.has(AdminWord::on)) options.endpoints.emplace_back(usual_endpoint);
  options.endpoints.insert(options.endpoints.end(), words.others.begin(), words.others.end());
  if (options.endpoints.empty()) options.endpoints.push_back(usual_endpoint);
  for (const std::string& each : options.endpoints) {
    const transport::Endpoint endpoint = endpoint_from_text(each, "Admin", transports);
    if (!remote && !stays_on_this_machine(endpoint, *transports.find(endpoint.protocol)))
      refuse(each, "other machines reach it; add the word remote if they may, or use localhost or unix:");
  }
  return options;
}

}  // namespace takt::orb
