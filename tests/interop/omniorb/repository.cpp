// Reads a repository that has the IDL of the tests, and writes to it, as any client of the standard does.
// omniORB has the stubs of repositories in its dynamic library.
#define ENABLE_CLIENT_IR_SUPPORT
#include <map>
#include <set>

#include "calls.hh"
#include "report.h"

namespace interop {
namespace {

void check(const std::string& name, const std::function<void()>& body) {
  report(name, body, [] {
    try {
      throw;
    } catch (const CORBA::SystemException& failure) {
      return std::string(failure._name()) + ' ' + std::to_string(failure.minor() & 0xfff);
    } catch (const CORBA::Exception& failure) {
      return std::string(failure._name());
    } catch (const std::exception& failure) {
      return std::string(failure.what());
    }
  });
}

template <class Interface>
typename Interface::_var_type found(CORBA::Repository_ptr repository, const char* id) {
  CORBA::Contained_var contained = repository->lookup_id(id);
  require(!CORBA::is_nil(contained), std::string("no ") + id);
  typename Interface::_var_type narrow = Interface::_narrow(contained);
  require(!CORBA::is_nil(narrow), std::string("another kind of definition: ") + id);
  return narrow;
}

void check_contents(CORBA::Repository_ptr repository) {
  check("contents", [&] {
    CORBA::ContainedSeq_var outermost = repository->contents(CORBA::dk_all, true);
    require(outermost->length() == 1, std::to_string(outermost->length()) + " outermost definitions");
    CORBA::ModuleDef_var module = CORBA::ModuleDef::_narrow(outermost[CORBA::ULong(0)]);
    CORBA::ContainedSeq_var values = module->contents(CORBA::dk_Value, true);
    std::set<std::string> names;
    for (CORBA::ULong i = 0; i < values->length(); ++i) {
      CORBA::String_var name = values[i]->name();
      names.insert(name.in());
    }
    require(names.count("Node") && names.count("Derived") && names.count("Packed"), "other values");
    CORBA::Container::DescriptionSeq_var described = module->describe_contents(CORBA::dk_Exception, true, -1);
    require(described->length() >= 2, "no exceptions");
    const CORBA::ExceptionDescription* exception = nullptr;
    require(described[CORBA::ULong(0)].value >>= exception, "another description");
  });
  check("lookup", [&] {
    CORBA::Contained_var by_name = repository->lookup("::Interop::Calls"),
                         by_id = repository->lookup_id("IDL:Interop/Calls:1.0");
    require(by_name->_is_equivalent(by_id), "two objects");
    CORBA::Contained_var none = repository->lookup_id("IDL:Interop/None:1.0");
    require(CORBA::is_nil(none), "what is not there");
    CORBA::String_var absolute = by_id->absolute_name();
    require(std::string(absolute.in()) == "::Interop::Calls", absolute.in());
    CORBA::ContainedSeq_var named = repository->lookup_name("Calls", -1, CORBA::dk_Interface, true);
    require(named->length() == 1, "lookup_name");
  });
}

void check_descriptions(CORBA::Repository_ptr repository) {
  check("describe_interface", [&] {
    CORBA::InterfaceDef_var calls = found<CORBA::InterfaceDef>(repository, "IDL:Interop/Calls:1.0");
    CORBA::InterfaceDef::FullInterfaceDescription_var full = calls->describe_interface();
    require(full->operations.length() == 19 && full->attributes.length() == 4, "other operations");
    require(std::string(full->defined_in.in()) == "IDL:Interop:1.0", full->defined_in.in());
    require(full->type->equal(Interop::_tc_Calls), "another type");
    require(calls->is_a("IDL:Interop/Calls:1.0") && !calls->is_a("IDL:Interop/Types:1.0"), "is_a");
    bool has_refuse = false;
    for (CORBA::ULong i = 0; i < full->operations.length(); ++i) {
      const CORBA::OperationDescription& each = full->operations[i];
      if (std::string(each.name.in()) != "refuse") continue;
      has_refuse = true;
      require(each.exceptions.length() == 2 && each.exceptions[1].type->equivalent(Interop::_tc_Refused),
              "other exceptions");
      CORBA::PrimitiveDef_var code = CORBA::PrimitiveDef::_narrow(each.parameters[1].type_def);
      require(code->kind() == CORBA::pk_long, "type_def");
    }
    require(has_refuse, "no refuse");
  });
  check("describe_value", [&] {
    CORBA::ValueDef_var derived = found<CORBA::ValueDef>(repository, "IDL:Interop/Derived:1.0");
    CORBA::ValueDef::FullValueDescription_var full = derived->describe_value();
    require(full->is_truncatable && !full->is_custom && !full->is_abstract, "other modifiers");
    require(std::string(full->base_value.in()) == "IDL:Interop/Base:1.0", full->base_value.in());
    require(full->members.length() != 0 && full->type->equivalent(Interop::_tc_Derived), "another type");
  });
  const std::map<std::string, CORBA::TypeCode_ptr> types{
      {"Word", Interop::_tc_Word},     {"Money", Interop::_tc_Money}, {"Colour", Interop::_tc_Colour},
      {"Record", Interop::_tc_Record}, {"Table", Interop::_tc_Table}, {"Choice", Interop::_tc_Choice},
      {"Answer", Interop::_tc_Answer}, {"Tree", Interop::_tc_Tree},   {"Matrix", Interop::_tc_Matrix},
      {"Link", Interop::_tc_Link},     {"Pair", Interop::_tc_Pair},   {"Text", Interop::_tc_Text}};
  for (const auto& [name, type] : types)
    check("type." + name, [&, what = type, id = "IDL:Interop/" + name + ":1.0"] {
      CORBA::TypedefDef_var definition = found<CORBA::TypedefDef>(repository, id.c_str());
      CORBA::TypeCode_var own = definition->type();
      require(own->equivalent(what), "another type");
    });
}

void check_writing(CORBA::Repository_ptr repository) {
  check("write", [&] {
    CORBA::ModuleDef_var module = repository->create_module("IDL:Made:1.0", "Made", "1.0");
    CORBA::PrimitiveDef_var a_long = repository->get_primitive(CORBA::pk_long);
    CORBA::SequenceDef_var longs = repository->create_sequence(3, a_long);
    CORBA::StructMemberSeq members(1);
    members.length(1);
    members[0].name = CORBA::string_dup("numbers");
    members[0].type = CORBA::TypeCode::_duplicate(CORBA::_tc_void);
    members[0].type_def = CORBA::IDLType::_duplicate(longs);
    CORBA::StructDef_var made = module->create_struct("IDL:Made/S:1.0", "S", "1.0", members);
    CORBA::TypeCode_var type = made->type(), member = type->member_type(0);
    require(member->kind() == CORBA::tk_sequence && member->length() == 3, "another struct");
    CORBA::InterfaceDefSeq none;
    CORBA::InterfaceDef_var interface = module->create_interface("IDL:Made/I:1.0", "I", "1.0", none);
    CORBA::ParDescriptionSeq parameters(1);
    parameters.length(1);
    parameters[0].name = CORBA::string_dup("s");
    parameters[0].type = CORBA::TypeCode::_duplicate(CORBA::_tc_void);
    parameters[0].type_def = CORBA::IDLType::_duplicate(made);
    parameters[0].mode = CORBA::PARAM_INOUT;
    CORBA::OperationDef_var operation =
        interface->create_operation("IDL:Made/I/f:1.0", "f", "1.0", a_long, CORBA::OP_NORMAL, parameters,
                                    CORBA::ExceptionDefSeq(), CORBA::ContextIdSeq());
    CORBA::TypeCode_var result = operation->result();
    require(result->kind() == CORBA::tk_long, "another result");
    try {
      CORBA::ModuleDef_var again = repository->create_module("IDL:Made:1.0", "Again", "1.0");
      require(false, "an id twice");
    } catch (const CORBA::BAD_PARAM& failure) {
      require((failure.minor() & 0xfff) == 2, "another minor code");
    }
    module->destroy();
    require(made->_non_existent(), "the struct is there still");
  });
}

}  // namespace
}  // namespace interop

int main(int argc, char* argv[]) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 2) {
      std::cerr << "usage: interop_omniorb_repository REFERENCE\n";
      return 2;
    }
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    CORBA::Repository_var repository = CORBA::Repository::_narrow(object);
    interop::check_contents(repository);
    interop::check_descriptions(repository);
    interop::check_writing(repository);
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    std::cout << "FAIL client: " << failure._name() << std::endl;
    return 1;
  }
}
