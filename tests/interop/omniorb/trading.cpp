// A client of a trader with omniORB's stubs: LOOKUP [-ORB...]. Adds a type, exports offers, one of them with
// a dynamic property that this program answers for, and asks for them. Says what it has found.
#include <omniORB4/CORBA.h>
#include <CosTrading.hh>
#include <CosTradingDynamic.hh>
#include <CosTradingRepos.hh>

#include <iostream>
#include <string>

namespace {

class Evaluator : public POA_CosTradingDynamic::DynamicPropEval {
 public:
  CORBA::Any* evalDP(const char* name, CORBA::TypeCode_ptr returned_type,
                     const CORBA::Any& extra_info) override {
    CORBA::Long number = 0;
    if (!(extra_info >>= number)) throw CosTradingDynamic::DPEvalFailure(name, returned_type, extra_info);
    CORBA::Any_var value = new CORBA::Any;
    value.inout() <<= static_cast<CORBA::Long>(number * 2);
    return value._retn();
  }
};

template <class T>
void add(CosTrading::PropertySeq& properties, const char* name, const T& value) {
  properties.length(properties.length() + 1);
  CosTrading::Property& last = properties[properties.length() - 1];
  last.name = name;
  last.value <<= value;
}

void add_type(CosTradingRepos::ServiceTypeRepository_ptr types) {
  CosTradingRepos::ServiceTypeRepository::PropStructSeq properties;
  properties.length(2);
  properties[0].name = "id";
  properties[0].value_type = CORBA::TypeCode::_duplicate(CORBA::_tc_string);
  properties[0].mode = CosTradingRepos::ServiceTypeRepository::PROP_MANDATORY;
  properties[1].name = "pages";
  properties[1].value_type = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
  properties[1].mode = CosTradingRepos::ServiceTypeRepository::PROP_NORMAL;
  types->add_type("Printer", "IDL:omg.org/CORBA/Object:1.0", properties,
                  CosTradingRepos::ServiceTypeRepository::ServiceTypeNameSeq());
}

void export_offers(CosTrading::Lookup_ptr lookup, CosTrading::Register_ptr registry,
                   CosTradingDynamic::DynamicPropEval_ptr evaluator) {
  for (CORBA::Long i = 1; i <= 3; ++i) {
    CosTrading::PropertySeq properties;
    add(properties, "id", ("p" + std::to_string(i)).c_str());
    if (i < 3) {
      add(properties, "pages", i * 10);
    } else {
      CosTradingDynamic::DynamicProp dynamic;
      dynamic.eval_if = CosTradingDynamic::DynamicPropEval::_duplicate(evaluator);
      dynamic.returned_type = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
      dynamic.extra_info <<= static_cast<CORBA::Long>(20);
      add(properties, "pages", dynamic);
    }
    const CORBA::String_var id = registry->_cxx_export(lookup, "Printer", properties);
    std::cout << "exported " << id.in() << std::endl;
  }
}

std::string ids_in(const CosTrading::OfferSeq& offers) {
  std::string all;
  for (CORBA::ULong i = 0; i < offers.length(); ++i)
    for (CORBA::ULong p = 0; p < offers[i].properties.length(); ++p) {
      const char* id = nullptr;
      if (std::string(offers[i].properties[p].name) == "id" && (offers[i].properties[p].value >>= id))
        all += std::string(" ") + id;
    }
  return all;
}

void ask(CosTrading::Lookup_ptr lookup, const char* constraint, CORBA::ULong how_many) {
  CosTrading::PolicySeq policies;
  policies.length(1);
  policies[0].name = "return_card";
  policies[0].value <<= static_cast<CORBA::ULong>(50);
  CosTrading::Lookup::SpecifiedProps wanted;
  wanted._d(CosTrading::Lookup::all);
  CosTrading::OfferSeq_var offers, more;
  CosTrading::OfferIterator_var rest;
  CosTrading::PolicyNameSeq_var limits;
  lookup->query("Printer", constraint, "max pages", policies, wanted, how_many, offers, rest, limits);
  std::string found = ids_in(offers.in());
  if (!CORBA::is_nil(rest)) {
    rest->next_n(10, more);
    found += " and" + ids_in(more.in());
    rest->destroy();
  }
  std::cout << "found" << found << std::endl;
}

void be_refused(CosTrading::Lookup_ptr lookup) {
  try {
    ask(lookup, "pages >", 1);
  } catch (const CosTrading::IllegalConstraint& refused) {
    std::cout << "illegal: " << refused.constr.in() << std::endl;
  }
}

}  // namespace

int main(int argc, char** argv) try {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  if (argc != 2) throw std::runtime_error("give the trader's reference");
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var root = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var manager = root->the_POAManager();
  manager->activate();
  Evaluator servant;
  CosTradingDynamic::DynamicPropEval_var evaluator = servant._this();
  object = orb->string_to_object(argv[1]);
  CosTrading::Lookup_var lookup = CosTrading::Lookup::_narrow(object);
  CosTrading::Register_var registry = lookup->register_if();
  object = lookup->type_repos();
  CosTradingRepos::ServiceTypeRepository_var types = CosTradingRepos::ServiceTypeRepository::_narrow(object);
  add_type(types);
  export_offers(lookup, registry, evaluator);
  ask(lookup, "pages > 10", 100);
  ask(lookup, "", 1);
  be_refused(lookup);
  registry->withdraw_using_constraint("Printer", "pages == 40");
  ask(lookup, "", 100);
  orb->destroy();
  return 0;
} catch (const CORBA::Exception& failure) {
  std::cerr << "FAIL " << failure._name() << '\n';
  return 1;
} catch (const std::exception& failure) {
  std::cerr << "FAIL " << failure.what() << '\n';
  return 1;
}
