// Reports findings, each with the data needed to repeat it.
#pragma once

#include <set>
#include <span>
#include <string>

#include "conversation.h"
#include "watcher.h"

namespace takt::fuzz::live {

class Report {
 public:
  // Writes files to `folder`.
  explicit Report(std::string folder) : folder_(std::move(folder)) {}

  // `target`: the options that select the target. Repeated findings are only counted.
  void finding(const Complaint& complaint, const std::string& target,
               std::span<const Conversation> conversations);
  int findings() const { return findings_; }

 private:
  const std::string folder_;
  std::set<std::string> known_;
  int findings_ = 0;
};

}  // namespace takt::fuzz::live
