// Programs that do not choose the admin object.
#include "../without_part.h"

TEST(WithoutAdmin, TheOptionIsRefusedAndNamesThePart) {
  feature::expect_refused("-ORBAdmin", "on", "add_admin");
}

TEST(WithoutAdmin, TheWordOffNeedsNoPart) { feature::expect_accepted("-ORBAdmin", "off"); }
