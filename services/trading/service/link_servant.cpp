#include "trading/service/link_servant.h"

#include <optional>

#include "events/delivery/with_timeout.h"
#include "trading/query/silence.h"
#include "trading/service/checks.h"

namespace takt::trading {
namespace {

using LinkStub = CosTrading::Link;  // inside the servant, the name means its base class

void check_name(const std::string& name, const Limits& limits) {
  if (!is_link_name(name, limits.name_bytes)) throw LinkStub::IllegalLinkName(name);
}

using RegisterRef = CORBA::object_reference<CosTrading::Register>;

// Nothing if the trader did not answer in time; nil if it takes no offers.
std::optional<RegisterRef> ask_for_register(const Parts& parts, const TraderLink& link) {
  try {
    const auto timed = events::with_timeout(link.target, parts.limits.link_timeout);
    return IDL::traits<CosTrading::Lookup>::unchecked_narrow(timed)->register_if();
  } catch (const CORBA::SystemException& failure) {
    if (says_silence(failure)) return std::nullopt;
    return RegisterRef();
  }
}

// A trader that has not answered is not asked again for a while.
void note_silence(Parts& parts, const TraderLink& link) {
  parts.counts.link_failures.fetch_add(1, std::memory_order_relaxed);
  parts.links.set_silent_until(link, SharedLinks::Clock::now() + parts.limits.link_pause);
}

}  // namespace

TraderLink existing_link(const Parts& parts, const std::string& name) {
  check_name(name, parts.limits);
  auto link = parts.links.find(name);
  if (!link) throw LinkStub::UnknownLinkName(name);
  return std::move(*link);
}

CORBA::object_reference<CosTrading::Register> register_behind(Parts& parts, const TraderLink& link) {
  if (link.target_register || parts.links.knows_register(link.name)) return link.target_register;
  if (parts.links.is_silent(link.name, SharedLinks::Clock::now())) return nullptr;
  const auto found = ask_for_register(parts, link);
  if (found)
    parts.links.note_register(link, *found);
  else
    note_silence(parts, link);
  return found.value_or(nullptr);
}

void LinkServant::check_rules(FollowOption pass_on, FollowOption limiting) const {
  const FollowOption most = follow(Setting::max_link_follow_policy);
  if (pass_on > limiting) throw LinkStub::DefaultFollowTooPermissive(pass_on, limiting);
  if (limiting > most) throw LinkStub::LimitingFollowTooPermissive(limiting, most);
}

void LinkServant::put(TraderLink link) {
  Change change{.action = Change::Action::put_link, .name = link.name, .octets = {}};
  change.link = {.name = link.name,
                 .target = octets_of(ObjectRef(link.target)),
                 .target_register = octets_of(ObjectRef(link.target_register)),
                 .pass_on = static_cast<std::uint32_t>(link.pass_on),
                 .limiting = static_cast<std::uint32_t>(link.limiting)};
  if (change.link.target.size() + change.link.target_register.size() > parts_.limits.offer_bytes)
    throw_limit("the references of a link have at most " + std::to_string(parts_.limits.offer_bytes) +
                " octets");
  require_written(parts_.journal->write(change));
  parts_.links.put(std::move(link));
}

void LinkServant::add_link(const std::string& name, CORBA::object_reference<CosTrading::Lookup> target,
                           FollowOption def_pass_on_follow_rule, FollowOption limiting_follow_rule) {
  check_name(name, parts_.limits);
  if (parts_.links.find(name)) throw LinkStub::DuplicateLinkName(name);
  if (!target) throw CosTrading::InvalidLookupRef(target);
  check_rules(def_pass_on_follow_rule, limiting_follow_rule);
  TraderLink link{name, target, nullptr, def_pass_on_follow_rule, limiting_follow_rule};
  const auto found = ask_for_register(parts_, link);  // before the lock
  link.target_register = found.value_or(nullptr);
  const std::lock_guard one_at_a_time(parts_.links_change);
  if (parts_.links.find(name)) throw LinkStub::DuplicateLinkName(name);
  if (parts_.links.size() >= parts_.limits.links) throw_limit("the trader has its maximum number of links");
  put(link);
  if (found)
    parts_.links.note_register(link, *found);
  else
    note_silence(parts_, link);
}

void LinkServant::remove_link(const std::string& name) {
  const std::lock_guard one_at_a_time(parts_.links_change);
  existing_link(parts_, name);
  require_written(
      parts_.journal->write(Change{.action = Change::Action::remove_link, .name = name, .octets = {}}));
  parts_.links.remove(name);
}

CosTrading::Link::LinkInfo LinkServant::describe_link(const std::string& name) {
  const TraderLink link = existing_link(parts_, name);
  return {link.target, register_behind(parts_, link), link.pass_on, link.limiting};
}

CosTrading::LinkNameSeq LinkServant::list_links() {
  CosTrading::LinkNameSeq names;
  for (const TraderLink& each : parts_.links.all()) names.push_back(each.name);
  return names;
}

void LinkServant::modify_link(const std::string& name, FollowOption def_pass_on_follow_rule,
                              FollowOption limiting_follow_rule) {
  const std::lock_guard one_at_a_time(parts_.links_change);
  TraderLink link = existing_link(parts_, name);
  check_rules(def_pass_on_follow_rule, limiting_follow_rule);
  link.pass_on = def_pass_on_follow_rule;
  link.limiting = limiting_follow_rule;
  put(std::move(link));
}

}  // namespace takt::trading
