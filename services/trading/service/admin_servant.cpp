#include "trading/service/admin_servant.h"

#include <memory>
#include <utility>

#include "events/delivery/with_timeout.h"
#include "trading/service/checks.h"

namespace takt::trading {
namespace {

constexpr std::size_t longest_stem = 256;

// Asks the object. No lock is held.
void require_repository(const ObjectRef& object, const Limits& limits) {
  bool is_one = false;
  try {
    is_one =
        events::with_timeout(object, limits.link_timeout)->_is_a(TypeRepository::_interface_repository_id());
  } catch (const CORBA::SystemException& failure) {
    throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO,
                           std::string("the repository of service types does not answer: ") + failure.what());
  }
  if (!is_one)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the object is no CosTradingRepos::ServiceTypeRepository");
}

}  // namespace

std::uint32_t AdminServant::set(Setting setting, std::uint32_t value) {
  const std::lock_guard one_at_a_time(parts_.settings_change);
  Settings settings = parts_.settings.get();
  const std::uint32_t previous = settings[setting];
  if (value > settings.ceiling(setting))
    throw CORBA::BAD_PARAM(
        0, CORBA::COMPLETED_NO,
        std::string(name_of(setting)) + " is at most " + std::to_string(settings.ceiling(setting)));
  require_written(parts_.journal->write(Change{
      .action = Change::Action::set, .name = std::string(name_of(setting)), .octets = octets_of(value)}));
  parts_.settings.change([&](Settings& now) { now.set(setting, value); });
  return previous;
}

FollowOption AdminServant::set_follow(Setting setting, FollowOption value) {
  return static_cast<FollowOption>(set(setting, static_cast<std::uint32_t>(value)));
}

CosTrading::Admin::OctetSeq AdminServant::request_id_stem() {
  return octet_sequence(parts_.settings.get().request_id_stem);
}

CosTrading::Admin::OctetSeq AdminServant::set_request_id_stem(const CosTrading::Admin::OctetSeq& stem) {
  if (stem.empty() || stem.size() > longest_stem)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "a stem has 1 to " + std::to_string(longest_stem) + " octets");
  const std::lock_guard one_at_a_time(parts_.settings_change);
  const std::string octets(stem.begin(), stem.end());
  require_written(parts_.journal->write(
      Change{.action = Change::Action::set, .name = "request_id_stem", .octets = octets}));
  std::string previous;
  parts_.settings.change([&](Settings& now) { previous = std::exchange(now.request_id_stem, octets); });
  return octet_sequence(previous);
}

// The offers that are there stay, though the other repository may not have their types.
ObjectRef AdminServant::set_type_repos(ObjectRef repository) {
  if (!repository)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the trader needs a repository of service types");
  std::shared_ptr<RemoteTypes> remote;  // null: its own
  if (!parts_.references.types->_is_equivalent(repository)) {
    require_repository(repository, parts_.limits);
    remote = std::make_shared<RemoteTypes>(repository, parts_.limits);
  }
  const std::string octets = remote ? octets_of(repository) : "";
  if (octets.size() > parts_.limits.offer_bytes) throw_limit("the reference of the repository is too large");
  const std::lock_guard one_at_a_time(parts_.settings_change);
  require_written(
      parts_.journal->write(Change{.action = Change::Action::set, .name = "type_repos", .octets = octets}));
  ObjectRef previous = parts_.type_repository();
  parts_.used_types.set(std::move(remote));
  return previous;
}

void AdminServant::list(bool proxies, std::uint32_t how_many, CosTrading::OfferIdSeq& ids,
                        CORBA::object_reference<CosTrading::OfferIdIterator>& id_itr) {
  std::vector<OfferNumber> numbers;
  {
    const std::shared_lock lock(parts_.offers.mutex);
    numbers = parts_.offers.book.numbers_after(proxies, 0, parts_.limits.held_offers);
  }
  ListSpace space(parts_, how_many);
  std::size_t listed = 0;
  for (; listed < numbers.size() && space.has_room(); ++listed) {
    std::string id = id_of(numbers[listed]);
    if (!space.take(id.size())) break;
    ids.push_back(std::move(id));
  }
  if (listed == numbers.size()) return;
  numbers.erase(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(listed));
  id_itr = iterators_.make(std::move(numbers), NoExtra());
}

void AdminServant::list_offers(std::uint32_t how_many, CosTrading::OfferIdSeq& ids,
                               CORBA::object_reference<CosTrading::OfferIdIterator>& id_itr) {
  list(false, how_many, ids, id_itr);
}
void AdminServant::list_proxies(std::uint32_t how_many, CosTrading::OfferIdSeq& ids,
                                CORBA::object_reference<CosTrading::OfferIdIterator>& id_itr) {
  if (!supports_proxy_offers()) throw CosTrading::NotImplemented();
  list(true, how_many, ids, id_itr);
}

std::uint32_t AdminServant::set_def_search_card(std::uint32_t value) {
  return set(Setting::def_search_card, value);
}
std::uint32_t AdminServant::set_max_search_card(std::uint32_t value) {
  return set(Setting::max_search_card, value);
}
std::uint32_t AdminServant::set_def_match_card(std::uint32_t value) {
  return set(Setting::def_match_card, value);
}
std::uint32_t AdminServant::set_max_match_card(std::uint32_t value) {
  return set(Setting::max_match_card, value);
}
std::uint32_t AdminServant::set_def_return_card(std::uint32_t value) {
  return set(Setting::def_return_card, value);
}
std::uint32_t AdminServant::set_max_return_card(std::uint32_t value) {
  return set(Setting::max_return_card, value);
}
std::uint32_t AdminServant::set_max_list(std::uint32_t value) {
  if (value == 0) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "max_list is at least 1");
  return set(Setting::max_list, value);
}
bool AdminServant::set_supports_modifiable_properties(bool value) {
  return set(Setting::supports_modifiable_properties, value) != 0;
}
bool AdminServant::set_supports_dynamic_properties(bool value) {
  return set(Setting::supports_dynamic_properties, value) != 0;
}
bool AdminServant::set_supports_proxy_offers(bool value) {
  return set(Setting::supports_proxy_offers, value) != 0;
}
std::uint32_t AdminServant::set_def_hop_count(std::uint32_t value) {
  return set(Setting::def_hop_count, value);
}
std::uint32_t AdminServant::set_max_hop_count(std::uint32_t value) {
  return set(Setting::max_hop_count, value);
}
FollowOption AdminServant::set_def_follow_policy(FollowOption policy) {
  return set_follow(Setting::def_follow_policy, policy);
}
FollowOption AdminServant::set_max_follow_policy(FollowOption policy) {
  return set_follow(Setting::max_follow_policy, policy);
}
FollowOption AdminServant::set_max_link_follow_policy(FollowOption policy) {
  return set_follow(Setting::max_link_follow_policy, policy);
}

}  // namespace takt::trading
