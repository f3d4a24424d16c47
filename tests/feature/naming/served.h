// A naming service in this process, and its client over the wire.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include <takt/corba.h>

#include "../orb_pair.h"
#include "CosNamingS.h"
#include "naming/model/names.h"
#include "naming/service/naming_service.h"

namespace feature {

using CosNaming::NamingContext;
using CosNaming::NamingContextExt;
using ContextRef = CORBA::object_reference<NamingContext>;
using ObjectRef = CORBA::object_reference<CORBA::Object>;

// Uses wide limits, so that a test can write names that the service refuses.
inline CosNaming::Name name(const std::string& text) {
  auto name = takt::naming::name_of(text, {.component_bytes = 1 << 20, .components = 1 << 16});
  if (!name) throw std::runtime_error(text + ": " + name.error());
  return std::move(*name);
}

class NamingServer : private OrbPair {
 public:
  explicit NamingServer(takt::naming::NamingService::Options options = {}, const std::string& port = "0")
      : OrbPair({}, {"-ORBRoundTripTimeout", "20s"}, "iiop://127.0.0.1:" + port,
                Server::serves_by_its_own_threads),
        service(started(server, std::move(options))),
        root(seen_by_client<NamingContextExt>(service->root())) {}
  ~NamingServer() { stop_server(); }  // before the service ends

  CORBA::ORB& client() { return *OrbPair::client; }
  // A reference to an object that does not exist.
  ObjectRef object(const std::string& key) {
    return client().string_to_object("corbaloc:iiop:1.2@127.0.0.1:9/" + key);
  }
  // Whether the name is bound to the object with the key.
  bool leads_to(const std::string& text, const std::string& key) {
    return root->resolve(name(text))->_is_equivalent(object(key));
  }

  const std::unique_ptr<takt::naming::NamingService> service;
  const CORBA::object_reference<NamingContextExt> root;

 private:
  static std::unique_ptr<takt::naming::NamingService> started(const Orb& orb,
                                                              takt::naming::NamingService::Options options) {
    auto started = takt::naming::NamingService::start(orb, std::move(options));
    if (!started) throw std::runtime_error(started.error());
    return std::move(*started);
  }
};

// The exception of a call as text, with its members.
inline std::string exception_of(const std::function<void()>& call) {
  using Reason = NamingContext::NotFoundReason;
  try {
    call();
  } catch (const NamingContext::NotFound& failure) {
    const char* why = failure.why() == Reason::missing_node  ? "missing_node"
                      : failure.why() == Reason::not_context ? "not_context"
                                                             : "not_object";
    return std::string("NotFound ") + why + " " + takt::naming::text_of(failure.rest_of_name());
  } catch (const NamingContext::CannotProceed& failure) {
    return "CannotProceed " + takt::naming::text_of(failure.rest_of_name());
  } catch (const CORBA::Exception& failure) {
    return failure._name();
  }
  return "nothing";
}

}  // namespace feature
