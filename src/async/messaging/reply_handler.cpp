#include <takt/async/reply_handler.h>

#include <takt/adapter/operation_table.h>

namespace Messaging {

const std::string& ReplyHandler::_interface_repository_id() {
  static const std::string id = "IDL:omg.org/Messaging/ReplyHandler:1.0";
  return id;
}
bool ReplyHandler::_is_a_local(const std::string& id) const {
  return id == "IDL:omg.org/Messaging/ReplyHandler:1.0" || CORBA::Object::_is_a_local(id);
}
CORBA::typecode_reference ReplyHandler::_type_code() {
  return takt::cdr::named_typecode<ReplyHandler>(CORBA::TCKind::tk_objref,
                                                 "IDL:omg.org/Messaging/ReplyHandler:1.0", "ReplyHandler");
}

namespace POA {

bool ReplyHandler::_is_a(const std::string& id) {
  return id == "IDL:omg.org/Messaging/ReplyHandler:1.0" || PortableServer::Servant::_is_a(id);
}
std::string ReplyHandler::_repository_id() { return "IDL:omg.org/Messaging/ReplyHandler:1.0"; }
bool ReplyHandler::_dispatch(takt::server::ServerCall&) { return false; }
bool ReplyHandler::_dispatch_searching(takt::server::ServerCall&, takt::adapter::OperationSearch) {
  return false;
}
bool ReplyHandler::_dispatch_local(const takt::OperationId&, void*) { return false; }

}  // namespace POA

}  // namespace Messaging
