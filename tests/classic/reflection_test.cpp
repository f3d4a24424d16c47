// A server of the classic mapping with -ORBReflection. The program has no skeletons of the other mapping.
#include <gtest/gtest.h>

#include <string>

#include <takt/corba.h>
#include <takt/orb/parts.h>
#include <takt/reference/orb_types.h>

#include "Takt_ReflectionC.h"
#include "both.h"
#include "broadC.h"

void takt::choose_parts(Parts& parts) { add_reflection(parts); }

TEST(ClassicReflection, ItsSkeletonsDescribeTheirInterfaces) {
  std::string program = "server", option = "-ORBReflection", on = "on";
  char* arguments[] = {program.data(), option.data(), on.data(), nullptr};
  int count = 3;
  const auto orb = CORBA::ORB_init(count, arguments);
  const auto object = orb->string_to_object(serve_in_classic());
  const auto definition = IDL::traits<Takt::Reflection::InterfaceDef>::narrow(object->_get_interface());
  ASSERT_TRUE(definition);
  const auto basics = definition->describe_interface();
  EXPECT_EQ(basics.id(), "IDL:Broad/Basics:1.0");
  EXPECT_EQ(basics.base_interfaces(),
            (std::vector<std::string>{"IDL:Broad/Base:1.0", "IDL:Broad/Other:1.0"}));
  bool inherits = false, refuses = false;
  for (const auto& operation : basics.operations()) {
    inherits = inherits || operation.id() == "IDL:Broad/Base/twice:1.0";
    if (operation.name() != "refuse") continue;
    for (const auto& exception : operation.exceptions())
      refuses = refuses || exception.type()->equal(Broad::_tc_Refused);
  }
  EXPECT_TRUE(inherits);
  EXPECT_TRUE(refuses);
  end_classic();
  orb->destroy();
}
