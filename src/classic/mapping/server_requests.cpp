// Servants without generated code.
#include <takt/classic/server_request.h>

#include "classic/bridge/server_request_bridge.h"
#include "classic/mapping/for_runtime.h"
#include "classic/mapping/object_ids.h"

namespace bridge = takt::classic::server_request;

namespace CORBA {
inline namespace takt_classic_ {

ServerRequest::ServerRequest(takt::classic::ServerRequestHandle* handle) : handle_(handle) {}
ServerRequest::~ServerRequest() { bridge::free(handle_); }

const char* ServerRequest::operation() const { return bridge::operation(*handle_); }
void ServerRequest::arguments(NVList_ptr& parameters) {
  NVList_var list(parameters);
  if (is_nil(parameters)) takt::classic::raise_bad_param("a nil list for a request's arguments");
  if (is_nil(arguments_.in()))
    for (ULong i = 0; i < list->count(); ++i)
      bridge::add_argument(*handle_, list->item(i)->flags(), list->item(i)->value()->_takt_handle());
  bridge::read_arguments(*handle_);
  for (ULong i = 0; i < list->count(); ++i)
    if (list->item(i)->flags() & ARG_IN) list->item(i)->value()->_takt_replace(bridge::argument(*handle_, i));
  arguments_ = list._retn();
}
Context_ptr ServerRequest::ctx() {
  context_ = new Context(bridge::context(*handle_), Context::_nil());
  return context_.in();
}
void ServerRequest::set_result(const Any& value) { bridge::set_result(*handle_, value._takt_handle()); }
void ServerRequest::set_exception(const Any& value) { bridge::set_exception(*handle_, value._takt_handle()); }
void ServerRequest::_takt_send_arguments() {
  if (is_nil(arguments_.in())) return;
  for (ULong i = 0; i < arguments_->count(); ++i)
    if (arguments_->item(i)->flags() & ARG_OUT)
      bridge::set_argument(*handle_, i, arguments_->item(i)->value()->_takt_handle());
}

}  // namespace takt_classic_
}  // namespace CORBA

namespace PortableServer {
inline namespace takt_classic_ {

namespace {

void run(void* servant, takt::classic::ServerRequestHandle* handle) {
  const CORBA::ServerRequest_var request = new CORBA::ServerRequest(handle);
  takt::classic::for_runtime([&] {
    static_cast<DynamicImplementation*>(servant)->invoke(request.in());
    request->_takt_send_arguments();
  });
}

}  // namespace

CORBA::Object_ptr DynamicImplementation::_this() {
  return takt::classic::make_object(bridge::this_object(*this));
}
const takt::classic::Entry* DynamicImplementation::_takt_find(const char*, std::size_t, void*&) {
  return nullptr;
}
const char* DynamicImplementation::_takt_repository_id() { return nullptr; }
bool DynamicImplementation::_takt_serve(takt::classic::Upcall& call) {
  return bridge::serve(call, &run, this);
}
char* DynamicImplementation::_takt_primary_interface(const unsigned char* id, std::size_t length,
                                                     takt::classic::Reference* poa) {
  const POA_var adapter = takt::classic::Proxies<POA>::make(takt::classic::duplicate(poa));
  const ObjectId_var object = new_id(id, length);
  return takt::classic::for_runtime([&] { return _primary_interface(object.in(), adapter.in()); });
}
bool DynamicImplementation::_takt_supports(const char* repository_id) const {
  return bridge::repository_id(const_cast<DynamicImplementation&>(*this)) == repository_id;
}

}  // namespace takt_classic_
}  // namespace PortableServer
