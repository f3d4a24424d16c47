// The live fuzzer; README.md explains what it does and how to use it.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "client_attack.h"
#include "server_attack.h"

namespace {

using namespace takt::fuzz::live;
using std::chrono::steady_clock;

struct Options {
  std::vector<std::string> servers, clients;  // architectures; strategies
  std::vector<Carrier> carriers;
  std::uint64_t seed = 1, count = UINT64_MAX;
  double seconds = 0;  // 0: 60, or as long as `count` takes
  std::string replay, found = "found", server_program, client_program;
  bool go_on = false;  // continue after a finding
};

int usage() {
  std::fprintf(stderr,
               "usage: fuzz_live [--server ARCHITECTURE,...] [--client STRATEGY,...] [--carrier "
               "tcp,tls,unix,shm,udp]\n"
               "                 [--seconds S] [--seed N] [--count N] [--replay FILE] [--found FOLDER] "
               "[--server-program FILE]\n"
               "                 [--go-on]\n");
  return 2;
}

std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream in(list);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

bool read_option(Options& options, const std::string& name, const std::string& value) {
  if (name == "--server")
    options.servers = parts_of(value);
  else if (name == "--client")
    options.clients = parts_of(value);
  else if (name == "--seconds")
    options.seconds = std::atof(value.c_str());
  else if (name == "--seed")
    options.seed = std::strtoull(value.c_str(), nullptr, 10);
  else if (name == "--count")
    options.count = std::strtoull(value.c_str(), nullptr, 10);
  else if (name == "--replay")
    options.replay = value;
  else if (name == "--found")
    options.found = value;
  else if (name == "--server-program")
    options.server_program = value;
  else if (name == "--carrier") {
    for (const std::string& part : parts_of(value)) {
      const auto found = std::ranges::find(carrier_names, part);
      if (found == std::end(carrier_names)) return false;
      options.carriers.push_back(static_cast<Carrier>(found - std::begin(carrier_names)));
    }
  } else {
    return false;
  }
  return true;
}

bool read_options(Options& options, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--go-on") {
      options.go_on = true;
    } else if (++i == argc || !read_option(options, name, argv[i])) {
      return false;
    }
  }
  if (options.servers.empty() && options.clients.empty()) {
    options.servers.assign(std::begin(architectures), std::end(architectures));
    options.clients.assign(std::begin(strategies), std::end(strategies));
  }
  if (options.seconds == 0)
    options.seconds = options.count == UINT64_MAX && options.replay.empty() ? 60 : 1e6;
  if (options.carriers.empty())
    for (std::size_t i = 0; i < std::size(carrier_names); ++i)
      options.carriers.push_back(static_cast<Carrier>(i));
  return true;
}

// A temporary folder, which the destructor deletes.
struct Folder {
  std::string path = (std::filesystem::temp_directory_path() / "takt-live-XXXXXX").string();
  Folder() {
    if (!::mkdtemp(path.data())) throw std::runtime_error("no folder can be made in " + path);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

class Run {
 public:
  Run(const Options& options, const std::string& folder)
      : options_(options),
        captures_(load_captures({TAKT_CAPTURES, TAKT_LIVE_CAPTURES})),
        report_(options.found) {
    surroundings_.server_program = options.server_program;
    surroundings_.client_program = options.client_program;
    surroundings_.folder = folder;
  }

  int all() {
    const auto targets = options_.servers.size() + options_.clients.size();
    // Each target gets the same time, and seeds of its own.
    const std::chrono::duration<double> each(options_.seconds / static_cast<double>(targets));
    std::uint64_t seed = options_.seed;
    for (const std::string& architecture : options_.servers) {
      if (over()) break;
      attack<ServerAttack>("server", architecture, seed, each);
      seed += stride;
    }
    for (const std::string& strategy : options_.clients) {
      if (over()) break;
      attack<ClientAttack>("client", strategy, seed, each);
      seed += stride;
    }
    std::printf("%d findings\n", report_.findings());
    return report_.findings() == 0 ? 0 : 1;
  }

 private:
  static constexpr std::uint64_t stride = 100'000'000;

  bool over() const { return report_.findings() > 0 && !options_.go_on; }

  template <class Attack>
  void attack(const char* side, const std::string& name, std::uint64_t seed,
              std::chrono::duration<double> time) {
    const auto begin = steady_clock::now(),
               end = begin + std::chrono::duration_cast<std::chrono::nanoseconds>(time);
    Attack attack(surroundings_, captures_, report_, name, options_.carriers);
    std::uint64_t held = 0;
    if (!options_.replay.empty()) {
      std::ifstream file(options_.replay);
      const auto conversations = read_conversations(file);
      attack.replay(conversations);
      held = conversations.size();
    } else {
      while (held < options_.count && steady_clock::now() < end && !over()) {
        const auto some = std::min<std::uint64_t>(options_.count - held, 48);
        held += attack.run(seed + held, some, end);
      }
    }
    const std::chrono::duration<double> took = steady_clock::now() - begin;
    std::printf("%s %s: %llu conversations from seed %llu, %zu KiB, in %.1f s\n", side, name.c_str(),
                static_cast<unsigned long long>(held), static_cast<unsigned long long>(seed),
                attack.octets() >> 10, took.count());
    std::fflush(stdout);
  }

  const Options& options_;
  Surroundings surroundings_;
  const Captures captures_;
  Report report_;
};

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  Options options;
  const std::filesystem::path programs = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  options.server_program = programs / "live_server";
  options.client_program = programs / "live_client";
  if (!read_options(options, argc, argv)) return usage();
  try {
    const Folder folder;
    return Run(options, folder.path).all();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "fuzz_live: %s\n", failure.what());
    return 2;
  }
}
