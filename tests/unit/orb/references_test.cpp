// References from text and by name.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include <takt/adapter/poa.h>
#include <takt/orb/orb.h>

#include "arguments.h"
#include "reference/object_ref.h"

namespace takt::orb {

struct References : testing::Test {
  ~References() override { orb->destroy(); }
  IDL::traits<CORBA::ORB>::ref_type orb =
      make_orb({"-ORBInitRef", "Far=corbaloc:iiop:1.2@[::1]:99/Key", "-ORBInitRef", "Loop=corbaloc:rir:/Loop",
                "-ORBDefaultInitRef", "corbaloc::elsewhere:7", "-ORBListenEndpoints", "iiop://127.0.0.1:0"},
               "references");
  std::uint32_t refused(const std::string& text) {
    try {
      orb->string_to_object(text);
    } catch (const CORBA::BAD_PARAM& failure) {
      return failure.minor() - CORBA::omg_minor(0);
    }
    return 0;
  }
};

TEST_F(References, NilIsText) {
  const auto text = orb->object_to_string(nullptr);
  EXPECT_TRUE(text.starts_with("IOR:"));
  EXPECT_FALSE(orb->string_to_object(text));
}

TEST_F(References, TextComesBackTheSame) {
  const auto object = orb->string_to_object("corbaloc:iiop:1.2@host:123,iiop:1.1@other:4/some%20key");
  const auto text = orb->object_to_string(object);
  const auto again = orb->string_to_object(text);
  EXPECT_TRUE(again->_is_equivalent(object));
  EXPECT_EQ(orb->object_to_string(again), text);
  EXPECT_EQ(again->_get_orb(), orb);
}

TEST_F(References, WhatIsNoReferenceIsRefused) {
  EXPECT_EQ(refused(""), 7u);
  EXPECT_EQ(refused("http://host/"), 7u);
  EXPECT_EQ(refused("corbaloc:iiop:1.2@host:port/Key"), 8u);
  EXPECT_NE(refused("IOR:0"), 0u);
  EXPECT_EQ(refused("file:///does/not/exist"), 10u);
  EXPECT_EQ(refused("corbaloc:rir:/Loop"), 10u);
}

TEST_F(References, AFileHoldsOne) {
  const std::string path = testing::TempDir() + "takt_reference.ior";
  std::ofstream(path) << "\n corbaloc::host:5/Key \n";
  EXPECT_EQ(orb->string_to_object("file://" + path)
                ->_ref()
                ->target()
                ->routes.at(0)
                .server->addresses.at(0)
                .endpoint.port,
            5);
  std::ofstream(path) << "file://" << path;
  EXPECT_EQ(refused("file://" + path), 10u) << "a file that leads to itself";
  std::remove(path.c_str());
}

TEST_F(References, InitialOnesComeFromManyPlaces) {
  const auto port = [&](const char* name) {
    return orb->resolve_initial_references(name)
        ->_ref()
        ->target()
        ->routes.at(0)
        .server->addresses.at(0)
        .endpoint.port;
  };
  EXPECT_EQ(port("Far"), 99);
  EXPECT_EQ(port("NameService"), 7) << "by -ORBDefaultInitRef";
  orb->register_initial_reference("NameService", orb->string_to_object("corbaloc::x:8/N"));
  EXPECT_EQ(port("NameService"), 8);
  EXPECT_THROW(orb->register_initial_reference("NameService", orb->string_to_object("corbaloc::x:8/N")),
               CORBA::ORB::InvalidName);
  EXPECT_THROW(orb->register_initial_reference("RootPOA", orb->string_to_object("corbaloc::x:8/N")),
               CORBA::ORB::InvalidName);
  EXPECT_THROW(orb->register_initial_reference("Nil", nullptr), CORBA::BAD_PARAM);
  EXPECT_EQ(orb->unregister_initial_reference("NameService")->_hash(1), 0u);
  EXPECT_EQ(port("NameService"), 7);
  EXPECT_THROW(orb->resolve_initial_references(""), CORBA::ORB::InvalidName);
  try {
    orb->unregister_initial_reference("Nobody");
    FAIL();
  } catch (const CORBA::Exception& failure) {
    EXPECT_STREQ(failure.what(),
                 "CORBA::ORB::InvalidName: no program part has registered an initial reference 'Nobody'");
  }
  const auto names = orb->list_initial_services();
  for (const char* name : {"RootPOA", "POACurrent", "Far"})
    EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
}

TEST_F(References, TheRootPoaIsOneAndListens) {
  EXPECT_TRUE(orb->_published_endpoints().empty());
  const auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  ASSERT_TRUE(poa);
  EXPECT_EQ(poa, IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA")));
  ASSERT_EQ(orb->_published_endpoints().size(), 1u);
  EXPECT_TRUE(orb->_published_endpoints()[0].starts_with("iiop 127.0.0.1:"));
  EXPECT_TRUE(IDL::traits<PortableServer::Current>::narrow(orb->resolve_initial_references("POACurrent")));
  EXPECT_THROW(orb->object_to_string(poa), CORBA::MARSHAL) << "a local object";
}

}  // namespace takt::orb
