// A naming service in this process, and its client over the wire.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include <takt/corba.h>

#include "../make_orb.h"
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

class NamingServer {
 public:
  explicit NamingServer(takt::naming::NamingService::Options options = {}, const std::string& port = "0")
      : server_(make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:" + port}, "naming")),
        client_(make_orb({"-ORBRoundTripTimeout", "20s"}, "client")) {
    auto started = takt::naming::NamingService::start(server_, std::move(options));
    if (!started) throw std::runtime_error(started.error());
    service = std::move(*started);
    IDL::traits<PortableServer::POA>::narrow(server_->resolve_initial_references("RootPOA"))
        ->the_POAManager()
        ->activate();
    root = IDL::traits<NamingContextExt>::narrow(
        client_->string_to_object(server_->object_to_string(service->root())));
  }
  ~NamingServer() {
    root.reset();
    client_->destroy();
    server_->destroy();
  }
  NamingServer(const NamingServer&) = delete;
  NamingServer& operator=(const NamingServer&) = delete;

  CORBA::ORB& client() { return *client_; }
  // A reference to an object that does not exist.
  ObjectRef object(const std::string& key) {
    return client_->string_to_object("corbaloc:iiop:1.2@127.0.0.1:9/" + key);
  }
  // Whether the name is bound to the object with the key.
  bool leads_to(const std::string& text, const std::string& key) {
    return root->resolve(name(text))->_is_equivalent(object(key));
  }

  std::unique_ptr<takt::naming::NamingService> service;
  CORBA::object_reference<NamingContextExt> root;

 private:
  Orb server_, client_;
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
