#include "imr/service/locator.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

#include <takt/adapter/late_skeleton.h>
#include <takt/reference/forwarded_objects.h>

#include "addresses/address_in.h"
#include "imr/process/local_listener.h"

namespace takt::imr {
namespace {

bool answer_listed(server::ServerCall& /*call*/, const CORBA::UserException& /*exception*/) { return false; }

class LateCaller final : public Caller {
 public:
  LateCaller(server::ServerCall& call, Destinations& destinations, std::string server, std::string key)
      : answer_(call, "request"),
        destinations_(destinations),
        server_(std::move(server)),
        key_(std::move(key)) {}

  bool forward(const Place& place) override {
    try {
      auto object = destinations_.find(place, server_, key_);
      if (destinations_.leads_here(object))
        return give_refusal(server_ + " has a reference that leads back to the repository");
      return give(std::make_exception_ptr(PortableServer::ForwardRequest(std::move(object))));
    } catch (const CORBA::SystemException& failure) {
      return give_refusal(server_ + " has a reference of no use: " + failure.what());
    }
  }

  void refuse(const std::string& why) override { give_refusal(why); }

 private:
  bool give_refusal(const std::string& why) {
    return give(std::make_exception_ptr(CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, why)));
  }
  // False: the client has gone.
  bool give(const std::exception_ptr& exception) {
    server::LateAnswer::Giving giving(answer_);
    if (!giving.is_wanted()) return false;
    adapter::answer_with(giving.call(), exception, &answer_listed);
    return true;
  }

  server::LateAnswer answer_;
  Destinations& destinations_;
  const std::string server_, key_;
};

ByteView octets_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

PortableServer::ObjectId id_in_locator(const std::string& server, const std::string& key) {
  PortableServer::ObjectId id(server.begin(), server.end());
  id.push_back(0);
  id.insert(id.end(), key.begin(), key.end());
  return id;
}

CORBA::object_reference<CORBA::Object> Destinations::object_at(const std::string& reference) {
  const std::lock_guard lock(mutex_);
  if (last_text_ != reference) {
    last_ = orb_.string_to_object(reference);
    last_text_ = reference;
  }
  return last_;
}

std::string Destinations::address_of(const std::string& reference) {
  try {
    return addresses::address_in(addresses::ior_of(object_at(reference)));
  } catch (const CORBA::SystemException&) {
    return {};
  }
}

void Destinations::set_own(const CORBA::object_reference<CORBA::Object>& own) {
  const std::lock_guard lock(mutex_);
  own_address_ = addresses::address_in(addresses::ior_of(own));
}

bool Destinations::leads_here(const CORBA::object_reference<CORBA::Object>& object) {
  std::string own;
  {
    const std::lock_guard lock(mutex_);
    own = own_address_;
  }
  return is_same_listener(addresses::address_in(addresses::ior_of(object)), own);
}

// A server that knows the repository has its name as the key of its main object.
CORBA::object_reference<CORBA::Object> Destinations::find(const Place& place, const std::string& server,
                                                          const std::string& key) {
  const auto object = object_at(place.reference);
  if (key.empty() && place.kind == PlaceKind::main_object) return object;
  return ForwardedObjects::with_key(object, octets_of(key.empty() ? server : key));
}

Locator::Locator(Keeper& keeper, Destinations& destinations, CORBA::ORB& orb)
    : keeper_(keeper),
      destinations_(destinations),
      current_(IDL::traits<PortableServer::Current>::narrow(orb.resolve_initial_references("POACurrent"))) {}

bool Locator::_dispatch(server::ServerCall& call) {
  const PortableServer::ObjectId id = current_->get_object_id();
  const auto end = std::ranges::find(id, std::uint8_t{0});
  const std::string name(id.begin(), end);
  if (end == id.end() || keeper_.token(name).empty())
    throw CORBA::OBJECT_NOT_EXIST(
        0, CORBA::COMPLETED_NO, "the implementation repository has no server of the name in the object key");
  const std::string key(end + 1, id.end());
  if (key.size() > longest_key)  // each request that waits keeps its key
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                           "the object key has more than " + std::to_string(longest_key) + " octets");
  keeper_.request(name, std::make_unique<LateCaller>(call, destinations_, name, key));
  return true;
}

}  // namespace takt::imr
