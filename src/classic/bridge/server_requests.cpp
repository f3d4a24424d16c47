// The runtime's dynamic skeletons for the classic mapping.
#include <takt/adapter/current.h>
#include <takt/dynamic/server_request.h>

#include "classic/bridge/request_handles.h"
#include "classic/bridge/runtime.h"
#include "classic/bridge/servant_host.h"
#include "classic/bridge/server_request_bridge.h"

namespace takt::classic {

class ServerRequestHandle {
 public:
  const CORBA::object_reference<CORBA::ServerRequest> request;
  const CORBA::object_reference<CORBA::NVList> arguments;
};

namespace server_request {

namespace {

using Invoke = void (*)(void* servant, ServerRequestHandle* request);

// Hands one request to a servant of the classic mapping. No adapter sees it.
class Invoker : public PortableServer::DynamicImplementation {
 public:
  void invoke(CORBA::object_reference<CORBA::ServerRequest> request) override {
    invoke_(servant_, new ServerRequestHandle{std::move(request), CORBA::make_reference<CORBA::NVList>()});
  }
  std::string _primary_interface(const PortableServer::ObjectId&,
                                 CORBA::object_reference<PortableServer::POA>) override {
    return {};
  }

 protected:
  Invoker(Invoke function, void* servant) : invoke_(function), servant_(servant) {}

 private:
  const Invoke invoke_;
  void* const servant_;
};

// Whether the thread runs an upcall on the servant.
bool is_upcall_on(classic::Servant& servant) {
  try {
    const auto current = PortableServer::Current().get_servant();
    const auto* const host = dynamic_cast<ServantHost*>(current.get());
    return host && &host->servant() == &servant;
  } catch (const PortableServer::Current::NoContext&) {
    return false;
  }
}

}  // namespace

bool serve(Upcall& call, Invoke invoke, void* servant) {
  return CORBA::make_reference<Invoker>(invoke, servant)->_dispatch(server_call(call));
}
std::string repository_id(classic::Servant& servant) {
  return translating([&] {
    if (!is_upcall_on(servant)) return host_of(servant)->PortableServer::Servant::_repository_id();
    PortableServer::Current current;
    return host_of(servant)->_repository_id_of(current.get_object_id(), current.get_POA());
  });
}
Reference* this_object(classic::Servant& servant) {
  return translating([&] {
    if (!is_upcall_on(servant)) throw PortableServer::POA::WrongPolicy();
    return host_of(servant)->this_reference();
  });
}

void free(ServerRequestHandle* request) { delete request; }
const char* operation(ServerRequestHandle& request) { return request.request->operation().c_str(); }
void add_argument(ServerRequestHandle& request, std::uint32_t flags, AnyHandle* value) {
  request.arguments->add_value({}, any_of(value), flags);
}
void read_arguments(ServerRequestHandle& request) {
  translating([&] { request.request->arguments(request.arguments); });
}
AnyHandle* argument(ServerRequestHandle& request, std::uint32_t index) {
  return new AnyHandle(request.arguments->item(index)->value());
}
void set_argument(ServerRequestHandle& request, std::uint32_t index, AnyHandle* value) {
  request.arguments->item(index)->value() = any_of(value);
}
ContextHandle* context(ServerRequestHandle& request) {
  return translating([&] { return new ContextHandle{request.request->ctx()}; });
}
void set_result(ServerRequestHandle& request, AnyHandle* value) {
  translating([&] { request.request->set_result(any_of(value)); });
}
void set_exception(ServerRequestHandle& request, AnyHandle* value) {
  translating([&] { request.request->set_exception(any_of(value)); });
}

}  // namespace server_request

}  // namespace takt::classic
