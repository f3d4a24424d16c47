// Programs that do not choose tracing.
#include "../without_part.h"

TEST(WithoutTracing, TheOptionIsRefusedAndNamesThePart) {
  feature::expect_refused("-ORBTracing", "0.5", "add_tracing");
}

TEST(WithoutTracing, TheWordOffNeedsNoPart) { feature::expect_accepted("-ORBTracing", "off"); }
