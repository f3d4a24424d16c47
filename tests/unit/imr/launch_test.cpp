// Which of the repository's variables a server gets.
#include "imr/process/launch.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace takt::imr {
namespace {

std::map<std::string, std::string> environment_of_server(const Definition& definition) {
  const auto pid = launch(definition, "the ticket");
  EXPECT_TRUE(pid) << pid.error();
  if (pid) ::waitpid(*pid, nullptr, 0);
  std::map<std::string, std::string> variables;
  std::ifstream file(definition.output_file);
  for (std::string line; std::getline(file, line);)
    variables.emplace(line.substr(0, line.find('=')), line.substr(line.find('=') + 1));
  return variables;
}

TEST(ImrLaunch, AServerDoesNotGetTheRepositorysAddresses) {
  std::string folder = (std::filesystem::temp_directory_path() / "launch.XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  constexpr const char* own[] = {"TAKT_CONFIG", "TAKT_LISTEN_ENDPOINTS", "TAKT_PUBLISHED_ENDPOINTS",
                                 "LISTEN_FDS"};
  for (const char* const name : own) ::setenv(name, "the repository's", 1);
  ::setenv("TAKT_LOG_LEVEL", "off", 1);
  Definition definition{.name = "one", .command = {"/usr/bin/env"}, .output_file = folder + "/variables"};
  auto variables = environment_of_server(definition);
  for (const char* const name : own) EXPECT_FALSE(variables.contains(name)) << name;
  EXPECT_EQ(variables["TAKT_LOG_LEVEL"], "off");
  EXPECT_EQ(variables["TAKT_IMR_TICKET"], "the ticket");
  std::filesystem::remove(definition.output_file);
  definition.environment = {"TAKT_LISTEN_ENDPOINTS=its own"};
  EXPECT_EQ(environment_of_server(definition)["TAKT_LISTEN_ENDPOINTS"], "its own");
  for (const char* const name : own) ::unsetenv(name);
  ::unsetenv("TAKT_LOG_LEVEL");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace takt::imr
