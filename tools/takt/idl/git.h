// Files of an earlier version from git.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <vector>

namespace takt::command {

// The IDL files of a commit, in a temporary folder that the destructor deletes. Needs the program git.
class GitVersion {
 public:
  // Uses the repository that contains `path`. Takes the files whose names end in .idl, .pidl, .inc, .h or the
  // ending of `path`. The error is readable text. Blocks for git.
  static std::expected<GitVersion, std::string> take(const std::string& reference,
                                                     const std::filesystem::path& path);
  GitVersion(GitVersion&& other) noexcept;
  GitVersion& operator=(GitVersion&&) = delete;
  ~GitVersion();

  // The place of an earlier file or folder; it may not exist.
  std::filesystem::path at(const std::filesystem::path& path) const;
  // "REF:path/in/the/repository" for a file in the temporary folder; other names are unchanged.
  std::string shown(const std::string& file) const;

 private:
  GitVersion() = default;

  std::string reference_;
  std::filesystem::path root_, folder_;  // the repository's root; the temporary folder
};

}  // namespace takt::command
