#include "recorder/recording_folder.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>
#include <vector>

#include "os/error_text.h"
#include "os/private_folder.h"

namespace takt::recorder {

namespace {

namespace fs = std::filesystem;
using Made = std::expected<std::shared_ptr<RecordingRing>, std::string>;

struct Candidate {
  std::string path;
  fs::file_time_type used;  // least: never
};

// Names that have not been used come first, then the oldest recordings.
std::vector<Candidate> candidates(const std::string& folder, const std::string& program) {
  std::vector<Candidate> all;
  for (int i = 1; i <= most_recordings; ++i) {
    const std::string path = folder + "/" + program + "." + std::to_string(i) + ".recording";
    std::error_code none;
    const auto used = fs::last_write_time(path, none);
    all.push_back({path, none ? fs::file_time_type::min() : used});
  }
  std::ranges::stable_sort(all, {}, &Candidate::used);
  return all;
}

Made make_in_own_folder(const RecordingRing::Options& options, const os::FileOwner& owner) {
  const std::string folder = recording_folder();
  if (folder.empty())
    return std::unexpected("the folder for recordings of this user cannot be used: " + os::error_text(errno));
  for (const Candidate& candidate : candidates(folder, owner.program)) {
    auto ring = RecordingRing::create(candidate.path, options, owner);
    if (ring) return std::move(*ring);
    if (ring.error().problem != RecordingRing::Problem::in_use)
      return std::unexpected(candidate.path + ": " + ring.error().text);
  }
  return std::unexpected(std::to_string(most_recordings) + " ORBs of this program record in " + folder +
                         "; name a file");
}

}  // namespace

std::string recording_folder() {
  std::error_code none;
  return os::make_own_folder(fs::is_directory("/dev/shm", none) ? "/dev/shm" : "/tmp");
}

Made make_ring(const std::string& path, const RecordingRing::Options& options, const os::FileOwner& owner) {
  if (path.empty()) return make_in_own_folder(options, owner);
  auto ring = RecordingRing::create(path, options, owner);
  if (!ring) return std::unexpected(ring.error().text);
  return std::move(*ring);
}

}  // namespace takt::recorder
