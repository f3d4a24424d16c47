#include "idl/git.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "common/files.h"

namespace takt::command {
namespace {

namespace fs = std::filesystem;

struct Files {
  fs::path input, output;  // empty input: no input; empty output: discarded
};

// Replaces the process by the program; never returns.
[[noreturn]] void become(std::vector<std::string> words, const Files& files, const fs::path& index) {
  const std::string in = files.input.empty() ? "/dev/null" : files.input.string();
  const std::string out = files.output.empty() ? "/dev/null" : files.output.string();
  const int input = ::open(in.c_str(), O_RDONLY | O_CLOEXEC);
  const int output = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (input < 0 || output < 0 || ::dup2(input, 0) < 0 || ::dup2(output, 1) < 0) ::_exit(126);
  ::setenv("GIT_INDEX_FILE", index.c_str(), 1);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  ::_exit(127);
}

// Runs git; its error messages go to standard error. Returns an error text; empty on success.
std::string git(const fs::path& folder, std::vector<std::string> words, const Files& files,
                const fs::path& index) {
  std::vector<std::string> whole{"git", "-C", folder.string()};
  whole.insert(whole.end(), words.begin(), words.end());
  const pid_t child = ::fork();
  if (child < 0) return std::string("cannot start a process for git: ") + std::strerror(errno);
  if (child == 0) become(std::move(whole), files, index);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) return "cannot run git; is it installed?";
  return "git " + words.front() + " failed";
}

std::string line_in(const fs::path& file) {
  const std::string text = read_file(file.string()).value_or("");
  return text.substr(0, text.find('\n'));
}

// Selects IDL files and files that IDL may include from a list of NUL-terminated names.
std::string only_idl(const std::string& names, const std::string& extension) {
  std::string chosen;
  for (std::size_t start = 0; start < names.size();) {
    const std::size_t end = std::min(names.find('\0', start), names.size());
    const std::string name = names.substr(start, end - start);
    start = end + 1;
    const std::string ending = fs::path(name).extension().string();
    constexpr const char* endings[] = {".idl", ".pidl", ".inc", ".h"};
    if (ending == extension || std::ranges::find(endings, ending) != std::end(endings))
      chosen.append(name) += '\0';
  }
  return chosen;
}

}  // namespace

std::expected<GitVersion, std::string> GitVersion::take(const std::string& reference, const fs::path& path) {
  std::string pattern = (fs::temp_directory_path() / "takt-idl-XXXXXX").string();
  GitVersion made;
  if (!::mkdtemp(pattern.data()))
    return std::unexpected(pattern + ": cannot be made: " + std::strerror(errno));
  made.folder_ = pattern;
  made.reference_ = reference;
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error) return std::unexpected(path.string() + ": " + error.message());
  const fs::path folder = fs::is_directory(real) ? real : real.parent_path();
  const fs::path index = made.folder_ / "index", said = made.folder_ / "said", list = made.folder_ / "list";
  if (const auto wrong = git(folder, {"rev-parse", "--show-toplevel"}, {{}, said}, index); !wrong.empty())
    return std::unexpected(path.string() + ": is not in a git repository: " + wrong);
  made.root_ = line_in(said);
  const std::string commit = reference + "^{commit}";
  if (!git(made.root_, {"rev-parse", "--quiet", "--verify", "--end-of-options", commit}, {{}, said}, index)
           .empty())
    return std::unexpected("git#" + reference + ": there is no such commit, branch or tag");
  const std::string id = line_in(said);
  for (const auto& [words, files] : std::initializer_list<std::pair<std::vector<std::string>, Files>>{
           {{"read-tree", id}, {}}, {{"ls-files", "-z"}, {{}, said}}})
    if (const auto wrong = git(made.root_, words, files, index); !wrong.empty())
      return std::unexpected(wrong);
  const auto names = read_file(said.string());
  if (!names) return std::unexpected(cannot_be_read(said.string()));
  if (!write_file(list.string(), only_idl(*names, real.extension().string())))
    return std::unexpected(cannot_be_written(list.string()));
  const std::string prefix = "--prefix=" + (made.folder_ / "tree").string() + "/";
  if (const auto wrong = git(made.root_, {"checkout-index", prefix, "-z", "--stdin"}, {list, {}}, index);
      !wrong.empty())
    return std::unexpected(wrong);
  return made;
}

GitVersion::GitVersion(GitVersion&& other) noexcept
    : reference_(std::move(other.reference_)),
      root_(std::move(other.root_)),
      folder_(std::exchange(other.folder_, {})) {}

GitVersion::~GitVersion() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

fs::path GitVersion::at(const fs::path& path) const {
  std::error_code error;
  const fs::path inside = fs::relative(fs::weakly_canonical(path, error), root_, error);
  const bool outside = error || inside.empty() || *inside.begin() == "..";
  return outside ? path : (folder_ / "tree" / inside).lexically_normal();
}

std::string GitVersion::shown(const std::string& file) const {
  const std::string tree = (folder_ / "tree").string() + "/";
  return file.starts_with(tree) ? reference_ + ":" + file.substr(tree.size()) : file;
}

}  // namespace takt::command
