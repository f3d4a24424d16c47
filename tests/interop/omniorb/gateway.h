// Objects without generated code in front of other ones: each answers by DSI with the results of a DII call.
// The types are those of the IDL.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "calls.hh"

namespace interop {

struct DynamicOperation {
  struct Parameter {
    CORBA::Flags flags;
    CORBA::TypeCode_ptr type;
  };
  std::vector<Parameter> parameters;
  CORBA::TypeCode_ptr result;
  std::vector<CORBA::TypeCode_ptr> raises;
  bool oneway = false, context = false;
};
using DynamicOperations = std::map<std::string, DynamicOperation>;

// For parameters that all are in.
inline DynamicOperation operation(CORBA::TypeCode_ptr result, const std::vector<CORBA::TypeCode_ptr>& types,
                                  std::vector<CORBA::TypeCode_ptr> raises = {}) {
  DynamicOperation made{{}, result, std::move(raises)};
  for (const CORBA::TypeCode_ptr type : types) made.parameters.push_back({CORBA::ARG_IN, type});
  return made;
}

inline DynamicOperations types_operations() {
  using namespace CORBA;
  using namespace Interop;
  DynamicOperations all;
  const std::pair<const char*, TypeCode_ptr> swapped[] = {{"boolean", _tc_boolean},
                                                          {"octet", _tc_octet},
                                                          {"char", _tc_char},
                                                          {"short", _tc_short},
                                                          {"ushort", _tc_ushort},
                                                          {"long", _tc_long},
                                                          {"ulong", _tc_ulong},
                                                          {"longlong", _tc_longlong},
                                                          {"ulonglong", _tc_ulonglong},
                                                          {"float", _tc_float},
                                                          {"double", _tc_double},
                                                          {"longdouble", _tc_longdouble},
                                                          {"wchar", _tc_wchar},
                                                          {"string", _tc_string},
                                                          {"wstring", _tc_wstring},
                                                          {"text", _tc_string},
                                                          {"word", _tc_Word},
                                                          {"money", _tc_Money},
                                                          {"colour", _tc_Colour},
                                                          {"record", _tc_Record},
                                                          {"variable", _tc_Variable},
                                                          {"octets", _tc_Octets},
                                                          {"doubles", _tc_Doubles},
                                                          {"flags", _tc_Flags},
                                                          {"table", _tc_Table},
                                                          {"records", _tc_Records},
                                                          {"few", _tc_Few},
                                                          {"matrix", _tc_Matrix},
                                                          {"names", _tc_Names},
                                                          {"choice", _tc_Choice},
                                                          {"fallback", _tc_Choice},
                                                          {"answer", _tc_Answer},
                                                          {"shade", _tc_Shade},
                                                          {"tree", _tc_Tree},
                                                          {"any", _tc_any}};
  for (const auto& [name, type] : swapped)
    all[std::string("swap_") + name] = {
        {{ARG_IN, type}, {ARG_INOUT, type}, {ARG_OUT, type}}, type, {_tc_Mismatch}};
  all["give"] = operation(_tc_any, {_tc_string}, {_tc_Mismatch});
  all["take"] = operation(_tc_void, {_tc_string, _tc_any}, {_tc_Mismatch});
  all["echo"] = operation(_tc_any, {_tc_any});
  all["type_of"] = operation(_tc_TypeCode, {_tc_any});
  return all;
}

inline DynamicOperations values_operations() {
  using namespace CORBA;
  using namespace Interop;
  DynamicOperations all;
  const std::pair<const char*, TypeCode_ptr> passed[] = {
      {"null", _tc_Node}, {"graph", _tc_Node},      {"derived", _tc_Base}, {"large", _tc_Derived},
      {"text", _tc_Text}, {"numbers", _tc_Numbers}, {"any", _tc_any}};
  for (const auto& [name, type] : passed)
    all[std::string("pass_") + name] = operation(type, {type}, {_tc_Mismatch});
  all["pass_shared"] = operation(_tc_Pair, {_tc_Node, _tc_Pair}, {_tc_Mismatch});
  all["pass_truncated"] = operation(_tc_Base, {_tc_Base, _tc_long}, {_tc_Mismatch});
  all["type_of"] = operation(_tc_TypeCode, {_tc_any});
  return all;
}

inline DynamicOperations calls_operations() {
  using namespace CORBA;
  using namespace Interop;
  DynamicOperations all;
  all["_get_kinds"] = operation(_tc_Types, {});
  all["_get_valued"] = operation(_tc_Values, {});
  all["_get_title"] = operation(_tc_string, {});
  all["_set_title"] = operation(_tc_void, {_tc_string});
  all["ping"] = operation(_tc_void, {});
  all["note"] = operation(_tc_void, {_tc_long});
  all["note"].oneway = true;
  all["noted"] = operation(_tc_long, {});
  all["in_context"] = operation(_tc_long, {_tc_octet, _tc_octet});
  all["in_context"].context = true;
  all["refuse"] = operation(_tc_void, {_tc_string, _tc_long}, {_tc_Nothing, _tc_Refused});
  all["fail"] = all["crash"] = operation(_tc_void, {});
  all["call_back"] = operation(_tc_long, {_tc_Caller, _tc_long});
  all["giver"] = operation(_tc_Caller, {});
  all["same"] = operation(_tc_Object, {_tc_Object});
  all["forwarded"] = all["absent"] = operation(_tc_Calls, {});
  all["pass_link"] = operation(_tc_Link, {_tc_Link});
  all["any_of"] = operation(_tc_any, {_tc_Caller});
  all["call_any"] = operation(_tc_long, {_tc_any, _tc_long});
  all["pass_wide"] = operation(_tc_wstring, {_tc_wstring}, {_tc_Mismatch});
  all["pass_narrow"] = operation(_tc_string, {_tc_string}, {_tc_Mismatch});
  all["echo_octets"] = operation(_tc_Octets, {_tc_Octets});
  all["echo_strings"] = operation(_tc_Strings, {_tc_Strings});
  return all;
}

// Activates its further gateways in `poa`: references to Types and Values that it returns lead to gateways,
// too.
class Gateway : public PortableServer::DynamicImplementation {
 public:
  Gateway(CORBA::ORB_ptr orb, PortableServer::POA_ptr poa, const char* id, DynamicOperations operations,
          CORBA::Object_ptr target)
      : orb_(CORBA::ORB::_duplicate(orb)),
        poa_(PortableServer::POA::_duplicate(poa)),
        id_(id),
        operations_(std::move(operations)),
        target_(CORBA::Object::_duplicate(target)) {}

  void invoke(CORBA::ServerRequest_ptr request) override {
    const auto found = operations_.find(request->operation());
    if (found == operations_.end()) throw CORBA::BAD_OPERATION();
    const DynamicOperation& operation = found->second;
    CORBA::NVList_ptr received;
    orb_->create_list(0, received);
    for (const auto& parameter : operation.parameters)
      received->add(parameter.flags)->value()->replace(parameter.type, static_cast<void*>(nullptr));
    request->arguments(received);  // which now belongs to the request

    CORBA::Request_var call = target_->_request(request->operation());
    if (operation.context) {
      call->contexts()->add("takt");
      call->contexts()->add("takt.*");
      call->ctx(request->ctx());
    }
    for (CORBA::ULong i = 0; i < received->count(); ++i) add(*call, *received->item(i));
    call->set_return_type(operation.result);
    for (const CORBA::TypeCode_ptr raised : operation.raises) call->exceptions()->add(raised);
    if (operation.oneway) return call->send_oneway();
    call->invoke();
    if (refused(*request, call->env()->exception())) return;
    for (CORBA::ULong i = 0; i < received->count(); ++i)
      if (received->item(i)->flags() != CORBA::ARG_IN)
        *received->item(i)->value() = *call->arguments()->item(i)->value();
    if (operation.result->kind() != CORBA::tk_void) request->set_result(with_gateways(call->return_value()));
  }
  char* _primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) override {
    return CORBA::string_dup(id_.c_str());
  }

 private:
  static void add(CORBA::Request& call, CORBA::NamedValue& value) {
    CORBA::Any& added = value.flags() == CORBA::ARG_IN      ? call.add_in_arg()
                        : value.flags() == CORBA::ARG_INOUT ? call.add_inout_arg()
                                                            : call.add_out_arg();
    added = *value.value();
  }
  static bool refused(CORBA::ServerRequest& request, CORBA::Exception* raised) {
    if (!raised) return false;
    if (auto* listed = CORBA::UnknownUserException::_downcast(raised)) {
      request.set_exception(listed->exception());
      return true;
    }
    raised->_raise();
    return true;
  }
  CORBA::Any with_gateways(const CORBA::Any& result) const;

  const CORBA::ORB_var orb_;
  const PortableServer::POA_var poa_;
  const std::string id_;
  const DynamicOperations operations_;
  const CORBA::Object_var target_;
};

inline CORBA::Object_ptr gateway(CORBA::ORB_ptr orb, PortableServer::POA_ptr poa, const char* id,
                                 DynamicOperations operations, CORBA::Object_ptr target) {
  PortableServer::ObjectId_var object =
      poa->activate_object(new Gateway(orb, poa, id, std::move(operations), target));
  return poa->id_to_reference(object);
}
inline Interop::Calls_ptr calls_gateway(CORBA::ORB_ptr orb, PortableServer::POA_ptr poa,
                                        CORBA::Object_ptr target) {
  CORBA::Object_var object = gateway(orb, poa, "IDL:Interop/Calls:1.0", calls_operations(), target);
  return Interop::Calls::_unchecked_narrow(object);
}

inline CORBA::Any Gateway::with_gateways(const CORBA::Any& result) const {
  CORBA::Any changed = result;
  Interop::Types_ptr types;
  Interop::Values_ptr values;
  if (result >>= types) {
    CORBA::Object_var object = gateway(orb_, poa_, "IDL:Interop/Types:1.0", types_operations(), types);
    Interop::Types_var own = Interop::Types::_unchecked_narrow(object);
    changed <<= own.in();
  } else if (result >>= values) {
    CORBA::Object_var object = gateway(orb_, poa_, "IDL:Interop/Values:1.0", values_operations(), values);
    Interop::Values_var own = Interop::Values::_unchecked_narrow(object);
    changed <<= own.in();
  }
  return changed;
}

}  // namespace interop
