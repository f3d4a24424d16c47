// Reads the description of an object's interface as any client of the standard's interface repository does.
// omniORB has the stubs of repositories in its dynamic library.
#define ENABLE_CLIENT_IR_SUPPORT
#include <map>

#include "calls.hh"
#include "report.h"

namespace interop {
namespace {

using Full = CORBA::InterfaceDef::FullInterfaceDescription;

std::string current_failure() {
  try {
    throw;
  } catch (const CORBA::Exception& failure) {
    return failure._name();
  } catch (const std::exception& failure) {
    return failure.what();
  }
}

void check(const std::string& name, const std::function<void()>& body) {
  report(name, body, current_failure);
}

CORBA::InterfaceDef_var definition_of(CORBA::Object_ptr object) {
  CORBA::InterfaceDef_var definition = object->_get_interface();
  require(!CORBA::is_nil(definition), "there is no definition");
  return definition;
}

const CORBA::OperationDescription& operation(const Full& full, const std::string& name) {
  for (CORBA::ULong i = 0; i < full.operations.length(); ++i)
    if (name == full.operations[i].name.in()) return full.operations[i];
  throw std::runtime_error("there is no operation " + name);
}

void check_calls(Interop::Calls_ptr calls) {
  check("definition", [&] {
    CORBA::InterfaceDef_var definition = definition_of(calls);
    CORBA::String_var id = definition->id(), name = definition->name(), version = definition->version(),
                      absolute = definition->absolute_name();
    require(std::string(id.in()) == "IDL:Interop/Calls:1.0", id.in());
    require(std::string(name.in()) == "Calls" && std::string(version.in()) == "1.0", "another name");
    require(std::string(absolute.in()) == "::Interop::Calls", absolute.in());
    require(definition->def_kind() == CORBA::dk_Interface, "another kind");
    require(definition->is_a("IDL:Interop/Calls:1.0") && !definition->is_a("IDL:Interop/Types:1.0"), "is_a");
    CORBA::TypeCode_var type = definition->type();
    require(type->equal(Interop::_tc_Calls), "another type");
  });
  check("operations", [&] {
    CORBA::InterfaceDef_var definition = definition_of(calls);
    CORBA::InterfaceDef::FullInterfaceDescription_var full = definition->describe_interface();
    require(full->operations.length() == 19, std::to_string(full->operations.length()) + " operations");
    require(full->attributes.length() == 4, std::to_string(full->attributes.length()) + " attributes");
    require(full->type->equal(Interop::_tc_Calls), "another type");
    require(operation(full, "note").mode == CORBA::OP_ONEWAY, "note is no oneway");
    const CORBA::OperationDescription& refuse = operation(full, "refuse");
    require(refuse.exceptions.length() == 2, "other exceptions");
    require(refuse.exceptions[1].type->equal(Interop::_tc_Refused), "another Refused");
    require(std::string(refuse.parameters[1].name.in()) == "code", "another parameter");
    const CORBA::OperationDescription& in_context = operation(full, "in_context");
    require(in_context.contexts.length() == 2, "other contexts");
    require(operation(full, "pass_link").result->equal(Interop::_tc_Link), "another Link");
  });
  check("no_repository", [&] {
    CORBA::InterfaceDef_var definition = definition_of(calls);
    try {
      CORBA::Contained_var found = definition->lookup("ping");
      throw std::runtime_error("lookup() has answered");
    } catch (const CORBA::NO_IMPLEMENT&) {
    }
  });
}

// Each parameter of swap_* has the type of the stubs.
void check_types(Interop::Types_ptr types) {
  CORBA::InterfaceDef::FullInterfaceDescription_var full;
  check("types", [&] {
    CORBA::InterfaceDef_var definition = definition_of(types);
    full = definition->describe_interface();
  });
  const std::map<std::string, CORBA::TypeCode_ptr> expected{{"boolean", CORBA::_tc_boolean},
                                                            {"octet", CORBA::_tc_octet},
                                                            {"char", CORBA::_tc_char},
                                                            {"short", CORBA::_tc_short},
                                                            {"ushort", CORBA::_tc_ushort},
                                                            {"long", CORBA::_tc_long},
                                                            {"ulong", CORBA::_tc_ulong},
                                                            {"longlong", CORBA::_tc_longlong},
                                                            {"ulonglong", CORBA::_tc_ulonglong},
                                                            {"float", CORBA::_tc_float},
                                                            {"double", CORBA::_tc_double},
                                                            {"longdouble", CORBA::_tc_longdouble},
                                                            {"wchar", CORBA::_tc_wchar},
                                                            {"string", CORBA::_tc_string},
                                                            {"wstring", CORBA::_tc_wstring},
                                                            {"word", Interop::_tc_Word},
                                                            {"money", Interop::_tc_Money},
                                                            {"colour", Interop::_tc_Colour},
                                                            {"record", Interop::_tc_Record},
                                                            {"variable", Interop::_tc_Variable},
                                                            {"octets", Interop::_tc_Octets},
                                                            {"table", Interop::_tc_Table},
                                                            {"records", Interop::_tc_Records},
                                                            {"few", Interop::_tc_Few},
                                                            {"matrix", Interop::_tc_Matrix},
                                                            {"names", Interop::_tc_Names},
                                                            {"choice", Interop::_tc_Choice},
                                                            {"answer", Interop::_tc_Answer},
                                                            {"shade", Interop::_tc_Shade},
                                                            {"tree", Interop::_tc_Tree},
                                                            {"any", CORBA::_tc_any}};
  for (const auto& [name, type] : expected)
    check("type." + name, [&, what = type] {
      const CORBA::OperationDescription& swap = operation(full, "swap_" + name);
      require(swap.parameters.length() == 3, "other parameters");
      require(swap.parameters[0].mode == CORBA::PARAM_IN && swap.parameters[1].mode == CORBA::PARAM_INOUT &&
                  swap.parameters[2].mode == CORBA::PARAM_OUT,
              "other modes");
      require(swap.result->equal(what), "another result");
      for (CORBA::ULong i = 0; i < 3; ++i) require(swap.parameters[i].type->equal(what), "another type");
    });
}

// omniORB finds a TypeCode of a valuetype that it has received not equal to its own, but equivalent.
void check_values(Interop::Values_ptr values) {
  check("values", [&] {
    CORBA::InterfaceDef_var definition = definition_of(values);
    CORBA::InterfaceDef::FullInterfaceDescription_var full = definition->describe_interface();
    require(operation(full, "pass_graph").result->equivalent(Interop::_tc_Node), "another Node");
    require(operation(full, "pass_shared").result->equivalent(Interop::_tc_Pair), "another Pair");
    require(operation(full, "pass_large").result->equivalent(Interop::_tc_Derived), "another Derived");
    require(operation(full, "pass_text").result->equivalent(Interop::_tc_Text), "another Text");
  });
}

}  // namespace
}  // namespace interop

int main(int argc, char* argv[]) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 2) {
      std::cerr << "usage: interop_omniorb_describer REFERENCE\n";
      return 2;
    }
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    Interop::Calls_var calls = Interop::Calls::_narrow(object);
    interop::check_calls(calls);
    Interop::Types_var types = calls->kinds();
    interop::check_types(types);
    Interop::Values_var values = calls->valued();
    interop::check_values(values);
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    std::cout << "FAIL client: " << failure._name() << std::endl;
    return 1;
  }
}
