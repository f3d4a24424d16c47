// Programs that do not choose the recorder.
#include "../without_part.h"

TEST(WithoutRecorder, TheOptionIsRefusedAndNamesThePart) {
  feature::expect_refused("-ORBRecorder", "1MiB", "add_recorder");
}

TEST(WithoutRecorder, ASizeOfZeroNeedsNoPart) { feature::expect_accepted("-ORBRecorder", "0"); }
