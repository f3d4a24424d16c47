// Calls to contexts of other naming services.
#pragma once

#include <atomic>
#include <utility>

#include <takt/orb/orb.h>
#include <takt/reference/messaging.h>

#include "CosNamingC.h"
#include "naming/model/limits.h"

namespace takt::naming {

// Limits concurrent calls to `federated_calls`, and each call to `federated_timeout`. Services that hang, or
// that refer to each other in a circle, thus leave threads for other clients.
class Federation {
 public:
  using ContextRef = CORBA::object_reference<CosNaming::NamingContext>;

  explicit Federation(const Limits& limits) : limits_(limits) {}

  // Runs call(context) and passes its user exceptions on. CannotProceed with `rest` if the context does not
  // answer as a naming context: the client may try itself. TRANSIENT if too many calls are in progress.
  template <class Call>
  auto call(const CORBA::object_reference<CORBA::Object>& context, CosNaming::Name rest, Call&& call) {
    const Place place(*this);
    const ContextRef narrowed = IDL::traits<CosNaming::NamingContext>::unchecked_narrow(bounded(context));
    try {
      return call(*narrowed);
    } catch (const CORBA::SystemException&) {
      throw CosNaming::NamingContext::CannotProceed(
          IDL::traits<CosNaming::NamingContext>::unchecked_narrow(context), std::move(rest));
    }
  }

 private:
  class Place {
   public:
    explicit Place(Federation& of);
    ~Place() { --of_.under_way_; }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    Federation& of_;
  };

  CORBA::object_reference<CORBA::Object> bounded(const CORBA::object_reference<CORBA::Object>& context) const;

  const Limits limits_;
  std::atomic<std::size_t> under_way_{0};
};

}  // namespace takt::naming
