// _get_interface of objects whose server names an interface repository.
#include <gtest/gtest.h>

#include <takt/dynamic/server_request.h>
#include <takt/orb/parts.h>
#include <takt/reference/orb_types.h>

#include "served.h"

void takt::choose_parts(Parts& parts) { add_all(parts); }

namespace feature {
namespace {

class OnlyDescribed final : public virtual PortableServer::DynamicImplementation {
 public:
  explicit OnlyDescribed(std::string id) : id_(std::move(id)) {}
  void invoke(IDL::traits<CORBA::ServerRequest>::ref_type) override { throw CORBA::NO_IMPLEMENT(); }
  std::string _primary_interface(const PortableServer::ObjectId&,
                                 IDL::traits<PortableServer::POA>::ref_type) override {
    return id_;
  }

 private:
  const std::string id_;
};

std::string definition_of(const OrbPair& orbs, const std::string& interface) {
  const auto object = orbs.publish<CORBA::Object>(CORBA::make_reference<OnlyDescribed>(interface));
  std::string id;
  const std::string failure = exception_of([&] {
    id = IDL::traits<R::InterfaceDef>::narrow(object->_get_interface())->describe_interface().id();
  });
  return failure == "nothing" ? id : failure;
}

TEST(IfrGetInterface, LeadsToTheRepository) {
  const Folder folder;
  loaded_text(folder, "module M { interface I { void f(); }; };");
  IfrServer repository(folder / "ifr.db");
  const std::string reference = repository.client().object_to_string(repository.repository);
  const OrbPair orbs({"-ORBInitRef", "InterfaceRepository=" + reference});
  EXPECT_EQ(definition_of(orbs, "IDL:M/I:1.0"), "IDL:M/I:1.0");
  EXPECT_EQ(definition_of(orbs, "IDL:M/J:1.0"), "INTF_REPOS 2");
}

TEST(IfrGetInterface, NeedsARepositoryThatAnswers) {
  EXPECT_EQ(
      definition_of(OrbPair({"-ORBInitRef", "InterfaceRepository=corbaloc::127.0.0.1:9/X"}), "IDL:M/I:1.0"),
      "INTF_REPOS 1");
  EXPECT_EQ(definition_of(OrbPair({"-ORBInitRef", "Other=corbaloc::127.0.0.1:9/X"}), "IDL:M/I:1.0"),
            "INTF_REPOS 1");
}

TEST(IfrGetInterface, ReflectionComesFirst) {
  const OrbPair orbs({"-ORBReflection", "on", "-ORBInitRef", "InterfaceRepository=corbaloc::127.0.0.1:9/X"});
  EXPECT_EQ(definition_of(orbs, "IDL:M/I:1.0"), "INTF_REPOS 2");
}

}  // namespace
}  // namespace feature
