// Programs that do not choose reflection.
#include "../without_part.h"

TEST(WithoutReflection, TheOptionIsRefusedAndNamesThePart) {
  feature::expect_refused("-ORBReflection", "on", "add_reflection");
}

TEST(WithoutReflection, TheValueOffNeedsNoPart) { feature::expect_accepted("-ORBReflection", "off"); }
