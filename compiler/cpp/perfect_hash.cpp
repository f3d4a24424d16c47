#include "cpp/perfect_hash.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

extern char** environ;  // NOLINT

namespace takt::idl::cpp {

namespace {

using Failure = std::unexpected<std::string>;

// A temporary file, deleted by the destructor.
class TemporaryFile {
 public:
  TemporaryFile() {
    path_ = (std::filesystem::temp_directory_path() / "takt-idl-XXXXXX").string();
    const int descriptor = mkstemp(path_.data());
    usable_ = descriptor >= 0;
    if (usable_) close(descriptor);
  }
  ~TemporaryFile() {
    if (usable_) unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  bool usable() const { return usable_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool usable_ = false;
};

std::expected<std::string, std::string> run_gperf(const std::vector<std::string>& names) {
  TemporaryFile input, output;
  if (!input.usable() || !output.usable())
    return Failure(std::string("cannot make a temporary file for gperf: ") + std::strerror(errno));
  {
    std::ofstream text(input.path());
    for (const auto& name : names) text << name << '\n';
    if (!text.flush()) return Failure("cannot write " + input.path() + " for gperf");
  }
  std::string program = "gperf", language = "--language=ANSI-C", to = "--output-file=" + output.path(),
              from = input.path();
  char* arguments[] = {program.data(), language.data(), to.data(), from.data(), nullptr};
  pid_t child = 0;
  if (const int error = posix_spawnp(&child, "gperf", nullptr, nullptr, arguments, environ); error != 0)
    return Failure(std::string("cannot run gperf, which finds the hash of the operation names (") +
                   std::strerror(error) + "): install the package gperf, or put it on the PATH");
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return Failure(std::string("cannot wait for gperf: ") + std::strerror(errno));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return Failure("gperf failed, status " + std::to_string(status) + "; takt-idl needs gperf 3");
  std::ifstream made(output.path());
  std::ostringstream text;
  text << made.rdbuf();
  return std::move(text).str();
}

// Reads the table and the hash function from the C code that gperf prints.
PerfectHash read_function(const std::string& text, const std::vector<std::string>& names) {
  PerfectHash hash;
  const auto end = text.find("in_word_set");
  std::vector<unsigned> table;
  auto body = text.find("hash (");
  if (const auto at = text.find("asso_values[] =", body); at < end) {
    body = text.find("};", at);
    std::string numbers = text.substr(at + 15, body - at - 15);
    std::ranges::replace_if(numbers, [](char c) { return c < '0' || c > '9'; }, ' ');
    std::istringstream in(numbers);
    for (unsigned value; in >> value;) table.push_back(value);
  }
  const std::string sum = text.substr(body, end - body);
  hash.counts_length = std::regex_search(sum, std::regex(R"((return|hval =) len)"));
  const std::regex term(R"(asso_values\[\(unsigned char\)str\[(len - 1|\d+)\](\+\d+)?\])");
  for (std::sregex_iterator match(sum.begin(), sum.end(), term), none; match != none; ++match) {
    const std::string index = (*match)[1], increment = (*match)[2];
    hash.positions.push_back(
        {index.starts_with("len") ? -1 : std::stoi(index),
         increment.empty() ? 0u : static_cast<unsigned>(std::stoul(increment.substr(1)))});
  }
  for (unsigned character = 0; character < table.size(); ++character) {
    const bool occurs = std::ranges::any_of(names, [&](const std::string& name) {
      return std::ranges::any_of(hash.positions, [&](const PerfectHash::Position& at) {
        const auto index = at.index < 0 ? name.size() - 1 : static_cast<std::size_t>(at.index);
        return index < name.size() && static_cast<unsigned char>(name[index]) + at.increment == character;
      });
    });
    if (occurs) hash.values.emplace_back(character, table[character]);
  }
  return hash;
}

}  // namespace

unsigned PerfectHash::operator()(std::string_view name) const {
  unsigned sum = counts_length ? static_cast<unsigned>(name.size()) : 0;
  for (const Position& at : positions) {
    const auto index = at.index < 0 ? name.size() - 1 : static_cast<std::size_t>(at.index);
    if (index >= name.size()) continue;
    const unsigned character = static_cast<unsigned char>(name[index]) + at.increment;
    const auto value = std::ranges::find(values, character, &std::pair<unsigned, unsigned>::first);
    if (value != values.end()) sum += value->second;
  }
  return sum;
}

TablesOfHash::TablesOfHash(const PerfectHash& hash) {
  const auto add = [](std::string& list, const std::string& element) {
    list += (list.empty() ? "" : ", ") + element;
  };
  const auto pair = [](auto one, auto other) {
    return "{" + std::to_string(one) + ", " + std::to_string(other) + "}";
  };
  for (const PerfectHash::Position& at : hash.positions) add(positions, pair(at.index, at.increment));
  for (const auto& [character, value] : hash.values) add(values, pair(character, value));
  for (const int slot : hash.slots) add(slots, slot == PerfectHash::nobody ? "65535" : std::to_string(slot));
}

std::expected<PerfectHash, std::string> find_perfect_hash(const std::vector<std::string>& names) {
  if (names.empty()) return PerfectHash{};
  const auto text = run_gperf(names);
  if (!text) return Failure(text.error());
  PerfectHash hash = read_function(*text, names);
  for (std::size_t number = 0; number < names.size(); ++number) {
    const unsigned slot = hash(names[number]);
    if (slot > 1'000'000) return Failure("gperf's hash of the operation names is out of bounds");
    if (slot >= hash.slots.size()) hash.slots.resize(slot + 1, PerfectHash::nobody);
    if (hash.slots[slot] != PerfectHash::nobody)
      return Failure("gperf's hash does not tell the operations '" +
                     names[static_cast<std::size_t>(hash.slots[slot])] + "' and '" + names[number] +
                     "' apart; takt-idl needs gperf 3");
    hash.slots[slot] = static_cast<int>(number);
  }
  // An interface with one operation also gets a position and a second slot, so that a lookup costs the same
  // however many operations there are.
  if (hash.positions.empty()) hash.positions.push_back({0, 0});
  if (hash.slots.size() == 1) hash.slots.push_back(PerfectHash::nobody);
  return hash;
}

}  // namespace takt::idl::cpp
