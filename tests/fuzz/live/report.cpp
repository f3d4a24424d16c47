#include "report.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace takt::fuzz::live {

namespace {

// A name that is equal for equal defects: the sanitizer's summary if there is one.
std::string name_of(const Complaint& complaint) {
  const std::size_t at = complaint.what.find("SUMMARY:");
  if (at != std::string::npos) return complaint.what.substr(at, complaint.what.find('\n', at) - at);
  std::string name = complaint.kind + ' ' + complaint.what.substr(0, complaint.what.find('\n'));
  std::erase_if(name, [](char c) { return c >= '0' && c <= '9'; });
  return name;
}

}  // namespace

void Report::finding(const Complaint& complaint, const std::string& target,
                     std::span<const Conversation> conversations) {
  ++findings_;
  if (conversations.empty() || !known_.insert(target + name_of(complaint)).second) return;
  std::filesystem::create_directories(folder_);
  const std::uint64_t seed = conversations.front().seed;
  const std::string file = folder_ + "/live-" + complaint.kind + '-' + std::to_string(seed) + ".txt";
  std::ofstream octets(file);
  octets << "target " << target << '\n';
  for (const Conversation& conversation : conversations) write_conversation(octets, conversation);
  std::printf(
      "FINDING %s: %s\n  repeat: fuzz_live %s --seed %llu --count %zu\n  octets: %s (fuzz_live %s --replay "
      "FILE)\n",
      complaint.kind.c_str(), complaint.what.c_str(), target.c_str(), static_cast<unsigned long long>(seed),
      conversations.size(), file.c_str(), target.c_str());
  std::fflush(stdout);
}

}  // namespace takt::fuzz::live
