#include <takt/reference/forwarded_objects.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "reference/forwarder.h"
#include "reference/object_ref.h"
#include "reference/references.h"
#include "reference/rewritten.h"

namespace takt {

namespace {

const reference::Target& original_of(const ForwardedObjects::Reference& object) {
  if (!object || !object->_ref())
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "a nil reference and that of a local object have no object key");
  const reference::Target& original = object->_ref()->original();
  if (original.routes.empty())
    throw CORBA::BAD_PARAM(
        0, CORBA::COMPLETED_NO,
        "the reference has no address that this ORB understands; takt ior shows what it has");
  return original;
}

class PersistentForwarder final : public reference::Forwarder {
 public:
  PersistentForwarder(reference::References& references, const reference::Target& to)
      : references_(references), to_(to.ior), prefix_(to.routes.front().object_key) {
    for (const reference::Route& route : to.routes)
      for (const auto& address : route.server->addresses) addresses_.push_back(address.endpoint);
  }

  std::shared_ptr<reference::ObjectRef> make_reference(std::string type_id, ByteView own_key) const override {
    std::vector<std::uint8_t> key = prefix_;
    key.insert(key.end(), own_key.begin(), own_key.end());
    cdr::Ior ior = with_object_key(references_, to_, key);
    ior.type_id = std::move(type_id);
    return std::make_shared<reference::ObjectRef>(references_.shared(),
                                                  make_target(references_, std::move(ior), own_key));
  }

  ByteView own_key_in(const reference::Route& route) const override {
    const ByteView key = route.object_key;
    if (key.size() <= prefix_.size() || !std::ranges::equal(key.first(prefix_.size()), prefix_)) return {};
    const auto& first = route.server->addresses.front().endpoint;
    return std::ranges::find(addresses_, first) != addresses_.end() ? key.subspan(prefix_.size())
                                                                    : ByteView();
  }

 private:
  reference::References& references_;
  const cdr::Ior to_;
  const std::vector<std::uint8_t> prefix_;
  std::vector<transport::Endpoint> addresses_;
};

}  // namespace

void ForwardedObjects::lead_to(const Reference& forwarder) {
  const reference::Target& original = original_of(forwarder);
  reference::References& references = *forwarder->_ref()->references();
  if (!references.set_forwarder(std::make_shared<PersistentForwarder>(references, original)))
    throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO, "the ORB's objects have a forwarder already");
}

ForwardedObjects::Reference ForwardedObjects::with_key(const Reference& object, ByteView key) {
  const reference::Target& original = original_of(object);
  reference::References& references = *object->_ref()->references();
  cdr::Ior ior = with_object_key(references, original.ior, key);
  ior.type_id.clear();
  return reference::make_stub<CORBA::Object>(references.from_ior(std::move(ior)));
}

}  // namespace takt
