#include <algorithm>
#include <iterator>
#include <set>

#include <takt/orb/configuration.h>
#include <takt/orb/linked_plugin.h>
#include <takt/orb/orb.h>

#include "personality_suite.h"

namespace takt {
namespace {

class Collected final : public PersonalityRegistry {
 public:
  explicit Collected(std::string_view arguments) : arguments_(arguments) {}
  void add_personality(const Personality& personality) override { all.push_back(personality); }
  std::string_view arguments() const override { return arguments_; }

  std::vector<Personality> all;

 private:
  const std::string_view arguments_;
};

// An ORB with the plug-in, the personality and further options.
CORBA::object_reference<CORBA::ORB> start(const TestedPlugin& tested, const Personality& personality,
                                          std::vector<std::string> more = {}) {
  std::vector<std::string> words{"test",
                                 "-ORBPlugin",
                                 tested.name + (tested.arguments.empty() ? "" : ":" + tested.arguments),
                                 "-ORBPersonality",
                                 std::string(personality.name),
                                 "-ORBid",
                                 "conformance"};
  std::ranges::copy(more, std::back_inserter(words));
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(words.size());
  return CORBA::ORB_init(argc, argv.data());
}

class PersonalityTest : public testing::TestWithParam<TestedPlugin> {
 protected:
  PersonalityTest() {
    takt::add_plugin(GetParam().name, GetParam().plugin, GetParam().personalities);
    EXPECT_EQ(GetParam().personalities(plugin_interface, collected_), plugin_interface);
  }
  const std::vector<Personality>& all() const { return collected_.all; }

 private:
  Collected collected_{GetParam().arguments};
};
INSTANTIATE_TEST_SUITE_P(Each, PersonalityTest, testing::ValuesIn(tested_plugins()),
                         [](const auto& info) { return info.param.name; });

TEST_P(PersonalityTest, ThePluginHasSome) { EXPECT_FALSE(all().empty()); }

TEST_P(PersonalityTest, EachSaysWhatItIsForAndWhyItPresetsAnOption) {
  for (const Personality& one : all()) {
    EXPECT_FALSE(one.meaning.empty()) << one.name;
    for (const Preset& preset : one.presets)
      EXPECT_FALSE(preset.why.empty()) << one.name << ' ' << preset.option;
  }
}

TEST_P(PersonalityTest, TheSameAreAddedEachTime) {
  Collected again(GetParam().arguments);
  GetParam().personalities(plugin_interface, again);
  ASSERT_EQ(again.all.size(), all().size());
  for (std::size_t i = 0; i < all().size(); ++i) {
    EXPECT_EQ(again.all[i].name, all()[i].name);
    EXPECT_EQ(again.all[i].presets.size(), all()[i].presets.size());
  }
}

TEST_P(PersonalityTest, AnOrbForAnotherInterfaceGetsNothing) {
  Collected other(GetParam().arguments);
  EXPECT_EQ(GetParam().personalities(plugin_interface + 1, other), plugin_interface);
  EXPECT_TRUE(other.all.empty()) << "it must not use the registry of another interface";
}

// Also finds values out of range, options that do not exist, and presets that contradict each other.
TEST_P(PersonalityTest, AnOrbStartsWithEachAndHasItsPresets) {
  for (const Personality& one : all()) {
    const auto orb = start(GetParam(), one);
    const auto configuration = Configuration::of(orb);
    for (const Preset& preset : one.presets)
      EXPECT_EQ(configuration.origin(preset.option), "personality " + std::string(one.name)) << preset.option;
    orb->destroy();
  }
}

TEST_P(PersonalityTest, AnOptionThatIsGivenPrevailsOverThePreset) {
  for (const Personality& one : all())
    for (const Preset& preset : one.presets) {
      const auto orb =
          start(GetParam(), one, {"-ORB" + std::string(preset.option), std::string(preset.value)});
      EXPECT_EQ(Configuration::of(orb).origin(preset.option), "-ORB" + std::string(preset.option));
      orb->destroy();
    }
}

}  // namespace
}  // namespace takt
