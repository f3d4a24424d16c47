// Translating omniNames's command line to that of Takt's naming service.
#include "naming/omninames_words.h"

#include <gtest/gtest.h>

namespace takt::command {
namespace {

using Words = std::vector<std::string>;

TEST(OmniNamesWords, MeanTheSame) {
  ::unsetenv("OMNINAMES_DATADIR");
  EXPECT_EQ(words_for_omninames({"-start"}), (Words{"naming", "--listen", "iiop://:2809"}));
  EXPECT_EQ(words_for_omninames({"-start", "11356", "-datadir", "/data", "-always"}),
            (Words{"naming", "--store", "/data/takt-naming.db", "--listen", "iiop://:11356"}));
  EXPECT_EQ(words_for_omninames({"-ORBendPoint", "giop:tcp:host:99", "-ORBendPoint",
                                 "giop:tcp::", "-ORBLogLevel", "warning"}),
            (Words{"naming", "--listen", "iiop://host:99,iiop://:0", "-ORBLogLevel", "warning"}));
}

TEST(OmniNamesWords, OthersAreRefused) {
  EXPECT_FALSE(words_for_omninames({"-dance"}));
  EXPECT_FALSE(words_for_omninames({"-ORBendPoint", "giop:ssl::99"}));
}

}  // namespace
}  // namespace takt::command
