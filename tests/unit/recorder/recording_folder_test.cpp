// Recordings without a name, in the folder of their user.
#include "recorder/recording_folder.h"

#include <unistd.h>

#include "recording.h"

namespace takt::recorder {
namespace {

class RecordingFolder : public testing::Test {
 protected:
  RecordingFolder() : owner{.program = "takt-test-" + std::to_string(::getpid()), .orb = {}, .host = {}} {}
  ~RecordingFolder() override {
    for (const auto& each : std::filesystem::directory_iterator(recording_folder()))
      if (each.path().filename().string().starts_with(owner.program)) std::filesystem::remove(each.path());
  }
  std::expected<std::shared_ptr<RecordingRing>, std::string> make() {
    return make_ring("", {least_file_bytes, 4096}, owner);
  }
  const os::FileOwner owner;
};

TEST_F(RecordingFolder, GivesEachOrbAFileOfItsOwn) {
  std::vector<std::shared_ptr<RecordingRing>> rings;
  for (int i = 1; i <= most_recordings; ++i) {
    const auto ring = make();
    ASSERT_TRUE(ring) << ring.error();
    rings.push_back(*ring);
    EXPECT_EQ((*ring)->path(),
              recording_folder() + "/" + owner.program + "." + std::to_string(i) + ".recording");
  }
  const auto one_too_many = make();
  ASSERT_FALSE(one_too_many);
  EXPECT_NE(one_too_many.error().find("8 ORBs"), std::string::npos) << one_too_many.error();
}

TEST_F(RecordingFolder, KeepsTheNewestRecordings) {
  std::vector<std::string> used;
  for (int i = 0; i < 2 * most_recordings; ++i) {
    const auto ring = make();
    ASSERT_TRUE(ring) << ring.error();
    used.push_back((*ring)->path());
    // The next one is younger, also where the file system's clock is coarse.
    const auto begin = std::filesystem::file_time_type::clock::now();
    std::filesystem::last_write_time((*ring)->path(), begin + std::chrono::seconds(i));
  }
  for (int i = 0; i < most_recordings; ++i)
    EXPECT_EQ(used[static_cast<std::size_t>(i)], used[static_cast<std::size_t>(i + most_recordings)]);
}

TEST_F(RecordingFolder, IsItsUsersAlone) {
  EXPECT_EQ(std::filesystem::status(recording_folder()).permissions() & std::filesystem::perms::group_write,
            std::filesystem::perms::none);
}

}  // namespace
}  // namespace takt::recorder
