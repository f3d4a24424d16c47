// Keys of schedules that describe the system in which an operation is used.
#include "schedule/json.h"
#include "schedule/toml.h"
#include "sets.h"

namespace takt::scheduling {
namespace {

std::string first_operation(const std::string& keys) {
  return "[[operation]]\nname = \"a\"\nwcet = \"1 ms\"\nperiod = \"20 ms\"\n" + keys;
}
std::string mistake_in(const std::string& text) {
  const auto read = command::operations_of(text, "f.toml");
  return read ? "none" : read.error();
}
Analysis analysed_text(const std::string& text, Repository& repository) {
  auto read = command::operations_of(text, "f.toml");
  EXPECT_TRUE(read) << read.error();
  repository = std::move(*read);
  return analysed(repository, Strategy::rate_monotonic);
}

// The operation after it was written and read again. Expects that nothing is lost, and that its keys are part
// of its fingerprint.
Declaration kept(const std::vector<Declaration>& read) {
  const auto again = command::declarations_in(toml_of(read), "f.toml");
  EXPECT_TRUE(again) << again.error();
  if (!again) return {};
  EXPECT_EQ((*again)[0].said, read[0].said);
  EXPECT_EQ(fingerprint((*again)[0]), fingerprint(read[0]));
  EXPECT_NE(fingerprint(read[0]), fingerprint(command::declarations_in(first_operation(""), "f").value()[0]));
  return (*again)[0];
}

using Mistakes = std::vector<std::pair<std::string, const char*>>;  // keys, and how the error begins

void expect_named(const Mistakes& mistakes, std::string (*file)(const std::string&)) {
  for (const auto& [keys, wanted] : mistakes)
    EXPECT_TRUE(mistake_in(file(keys)).starts_with(wanted))
        << mistake_in(file(keys)) << "\nwanted: " << wanted;
}

TEST(SystemKeys, ATransactionIsReadWrittenAndPrinted) {
  const std::string text = first_operation("transaction = \"control\"\noffset = \"5 ms\"\n");
  const auto read = command::declarations_in(text, "f.toml");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ((*read)[0].needs.transaction, "control");
  EXPECT_EQ((*read)[0].needs.offset, std::chrono::milliseconds(5));
  kept(*read);

  Repository repository;
  const Analysis analysis = analysed_text(text, repository);
  const std::string json = command::json_of(repository, analysis, std::nullopt);
  EXPECT_TRUE(contains(json, "\"transaction\": \"control\"")) << json;
  EXPECT_TRUE(contains(json, "\"offset_ns\": 5000000")) << json;
}

TEST(SystemKeys, RegisteredOperationsKeepTransactions) {
  auto read = command::operations_of(first_operation("transaction = \"c\"\noffset = \"5 ms\"\n"), "f.toml");
  ASSERT_TRUE(read);
  const auto declarations = declarations_of(*read, "here");
  EXPECT_TRUE(contains(toml_of(declarations), "transaction = \"c\"\noffset = \"5 ms\"\n"));
}

TEST(SystemKeys, MistakesAreNamedWithTheirLine) {
  const Mistakes mistakes = {
      {"transaction = 7\n", "f.toml:5: 'transaction' must be a name, such as \"control\""},
      {"transaction = \"\"\n", "f.toml:5: 'transaction' must be a name, such as \"control\""},
      {"offset = \"5 ns\"\n", "f.toml:1: operation 'a' has the offset 5 ns but no transaction"},
      {"transaction = \"c\"\noffset = 5\n", "f.toml:6: 'offset' must be a string with a time"},
      {"transaction = \"c\"\noffset = \"20 ms\"\n",
       "f.toml:1: operation 'a' has the offset 20 ms, which must"}};
  expect_named(mistakes, first_operation);
}

TEST(SystemKeys, LocksAndLanesAreReadWrittenAndPrinted) {
  const std::string text = first_operation(
      "locks = [{ name = \"bus\", held = \"0.5 ms\" }, { held = \"2 us\", name = \"log\" }]\n"
      "lane = \"pool\"\n");
  const auto read = command::declarations_in(text, "f.toml");
  ASSERT_TRUE(read) << read.error();
  const std::vector<LockUse> wanted = {{"bus", std::chrono::microseconds(500)},
                                       {"log", std::chrono::microseconds(2)}};
  EXPECT_EQ((*read)[0].needs.locks, wanted);
  EXPECT_EQ((*read)[0].needs.lane, "pool");
  kept(*read);

  Repository repository;
  const Analysis analysis = analysed_text(text, repository);
  EXPECT_EQ(
      toml_of(declarations_of(repository, "")),
      toml_of(declarations_of(*command::operations_of(toml_of(declarations_of(repository, "")), "f"), "")));
  const std::string json = command::json_of(repository, analysis, std::nullopt);
  for (const char* part : {"\"kind\": \"lock\"", "\"name\": \"bus\"", "\"held_ns\": 500000",
                           "\"kind\": \"lane\"", "\"blocking_ns\": 0", "\"ceiling\": 0"})
    EXPECT_TRUE(contains(json, part)) << part << " in\n" << json;
}

TEST(SystemKeys, ALaterFileReplacesAllLocks) {
  const auto first = command::declarations_in(
      first_operation("locks = [{ name = \"a\", held = \"1 ms\" }, { name = \"b\", held = \"1 ms\" }]\n"),
      "1");
  const auto second = command::declarations_in(
      "[[operation]]\nname = \"a\"\nlocks = [{ name = \"c\", held = \"2 ms\" }]\n", "2");
  const std::vector<Declaration> files[] = {*first, *second};
  const auto all = complete(files);
  ASSERT_TRUE(all) << all.error();
  ASSERT_EQ(all->repository[1].locks.size(), 1u);
  EXPECT_EQ(all->repository[1].locks[0].name, "c");
}

TEST(SystemKeys, MistakesInLocksAreNamed) {
  const Mistakes mistakes = {
      {"locks = \"bus\"\n", "f.toml:5: 'locks' must be an array"},
      {"locks = [\"bus\"]\n", "f.toml:5: a lock is a table, such as { name = \"bus\", held = \"1 ms\" }"},
      {"locks = [{ name = 1 }]\n", "f.toml:5: 'name' must be a string"},
      {"locks = [{ name = \"bus\", held = 1 }]\n", "f.toml:5: 'held' must be a string"},
      {"locks = [{ name = \"bus\", held = \"long\" }]\n",
       "f.toml:5: 'held' must be a time in s, ms, us or ns, such as \"20 ms\", not 'long'"},
      {"locks = [{ name = \"bus\", time = \"1 ms\" }]\n",
       "f.toml:5: unknown key 'time' of a lock; its keys are name and held"},
      {"locks = [{ name = \"bus\" }]\n", "f.toml:1: operation 'a' has the lock 'bus', held for 0 ns"},
      {"lane = true\n", "f.toml:5: 'lane' must be a string or a whole number"},
      {"lane = 3\n", "f.toml:5: 'lane' must be a name, such as"}};
  expect_named(mistakes, first_operation);
}

TEST(SystemKeys, BurstsAreReadWrittenAndPrinted) {
  const std::string text = first_operation("burst = 3\ndistance = \"2 ms\"\n");
  const auto read = command::declarations_in(text, "f.toml");
  ASSERT_TRUE(read) << read.error();
  const Declaration again = kept(*read);
  EXPECT_EQ(again.needs.burst, 3);
  EXPECT_EQ(again.needs.distance, std::chrono::milliseconds(2));
  Repository repository;
  const Analysis analysis = analysed_text(text, repository);
  EXPECT_TRUE(contains(toml_of(declarations_of(repository, "")), "distance = \"2 ms\"\nburst = 3\n"));
  const std::string json = command::json_of(repository, analysis, std::nullopt);
  EXPECT_TRUE(contains(json, "\"burst\": 3,\n   \"distance_ns\": 2000000")) << json;
}

TEST(SystemKeys, MistakesInBurstsAreNamed) {
  const Mistakes mistakes = {
      {"burst = \"3\"\n", "f.toml:5: 'burst' must be a number from 0"},
      {"burst = 0\n", "f.toml:1: operation 'a' has a burst of 0 releases"},
      {"burst = 3\ndistance = \"7 ms\"\n",
       "f.toml:1: operation 'a' has a burst of 3 releases with the distance"},
      {"distance = \"7 ms\"\n", "f.toml:1: operation 'a' has the distance 7 ms but no burst"}};
  expect_named(mistakes, first_operation);
}

std::string with_chain(const std::string& keys) { return first_operation("[[chain]]\n" + keys); }

TEST(SystemKeys, ChainsAreReadAndPrinted) {
  Repository repository;
  const Analysis analysis =
      analysed_text(with_chain("name = \"brake\"\noperations = [\"a\", { operation = \"b\", delay = \"2 ms\" "
                               "}]\nage = \"100 ms\"\n") +
                        "[[operation]]\nname = \"b\"\nwcet = \"3 ms\"\nperiod = \"30 ms\"\n",
                    repository);
  ASSERT_EQ(repository.chains().size(), 1u);
  EXPECT_EQ(repository.chains()[0].steps[1].delay, std::chrono::milliseconds(2));
  const std::string json = command::json_of(repository, analysis, std::nullopt);
  for (const char* part : {"\"name\": \"brake\"", "\"age_ns\": 57000000", "\"age_limit_ns\": 100000000",
                           "\"reaction_ns\": 57000000", "\"reaction_limit_ns\": null"})
    EXPECT_TRUE(contains(json, part)) << part << " in\n" << json;
}

// As a file of its own, which is given with the files of the operations.
TEST(SystemKeys, AFileMayHaveOnlyChains) {
  const std::string text = "[[chain]]\nname = \"c\"\noperations = [\"a\"]\n";
  EXPECT_TRUE(command::declarations_in(text, "f.toml"));
  auto file = command::schedule_in(text, "f.toml");
  ASSERT_TRUE(file) << file.error();
  auto* const system = &file->system;
  const auto operations = command::declarations_in(first_operation(""), "f.toml");
  system->chains.push_back(system->chains.front());
  system->chains.back().age = std::chrono::milliseconds(5);
  const std::vector<Declaration> files[] = {*operations};
  const auto all = complete(files, *system);
  ASSERT_TRUE(all) << all.error();
  ASSERT_EQ(all->repository.chains().size(), 1u) << "the later one replaces the earlier one";
  EXPECT_EQ(all->repository.chains()[0].age, std::chrono::milliseconds(5));
}

TEST(SystemKeys, MistakesInChainsAreNamed) {
  const std::string named = "name = \"c\"\n";
  const Mistakes mistakes = {
      {"age = \"5 ms\"\n", "f.toml:5: a chain has no name"},
      {named, "f.toml:5: chain 'c' has no operations"},
      {named + "operations = \"a\"\n", "f.toml:7: 'operations' must be an array"},
      {named + "operations = [1]\n", "f.toml:7: 'operations' must be a string"},
      {named + "operations = [\"x\"]\n", "f.toml:7: no operation is called 'x'"},
      {named + "operations = [{ operation = \"a\", wait = 1 }]\n",
       "f.toml:7: unknown key 'wait' of a chain's"},
      {named + "operations = [{ operation = \"a\", delay = \"1 ms\" }]\n",
       "f.toml:5: chain 'c' begins with a"},
      {named + "operations = [\"a\", \"a\"]\n", "f.toml:5: chain 'c' has the operation 'a' twice"},
      {named + "age = 5\n", "f.toml:7: 'age' must be a string"},
      {named + "age = \"0 ms\"\n", "f.toml:7: 'age' must be longer than 0"},
      {named + "aged = \"5 ms\"\n", "f.toml:7: unknown key 'aged' of a chain"},
      {named + "operations = [\"a\"]\n[[chain]]\n" + named + "operations = [\"a\"]\n",
       "f.toml:8: chain 'c' is already declared"}};
  expect_named(mistakes, with_chain);
  EXPECT_EQ(mistake_in("chain = 1\n" + first_operation("")), "f.toml:1: a chain is a table: [[chain]]");
  EXPECT_EQ(mistake_in("chains = 1\n"),
            "f.toml:1: unknown key 'chains'; the keys are 'operation', 'chain' and 'reservation'");
}

TEST(SystemKeys, ReservationsAreReadWrittenAndPrinted) {
  const std::string text =
      first_operation("reservation = \"camera\"\nprocessor = 2\n") +
      "[[reservation]]\nname = \"camera\"\nbudget = \"2 ms\"\nperiod = \"10 ms\"\nprocessor = 2\n";
  Repository repository;
  const Analysis analysis = analysed_text(text, repository);
  const Reservation wanted{"camera", std::chrono::milliseconds(2), std::chrono::milliseconds(10), 2};
  ASSERT_EQ(repository.reservations().size(), 1u);
  EXPECT_EQ(repository.reservations()[0], wanted);
  EXPECT_TRUE(contains(toml_of(declarations_of(repository, "")), "reservation = \"camera\"\n"));
  const std::string json = command::json_of(repository, analysis, std::nullopt);
  for (const char* part : {"\"name\": \"camera\"", "\"budget_ns\": 2000000", "\"period_ns\": 10000000",
                           "\"response_ns\": 17000000"})
    EXPECT_TRUE(contains(json, part)) << part << " in\n" << json;
}

TEST(SystemKeys, MistakesInReservationsAreNamed) {
  const std::string named = "[[reservation]]\nname = \"r\"\n";
  const Mistakes mistakes = {{"[[reservation]]\nbudget = \"1 ms\"\n", "f.toml:5: a reservation has no name"},
                             {named, "f.toml:5: reservation 'r' has a period of 0 ns"},
                             {named + "period = \"1 ms\"\nbudget = \"2 ms\"\n",
                              "f.toml:5: reservation 'r' has a budget of 2 ms; the range"},
                             {named + "period = 7\n", "f.toml:7: 'period' must be a string"},
                             {named + "budget = \"much\"\n", "f.toml:7: 'budget' must be a time"},
                             {named + "processor = -1\n", "f.toml:7: 'processor' must be a number from 0"},
                             {named + "lane = 1\n", "f.toml:7: unknown key 'lane' of a reservation"},
                             {named + named, "f.toml:7: reservation 'r' is already declared"}};
  expect_named(mistakes, first_operation);
  EXPECT_EQ(mistake_in("reservation = [1]\n" + first_operation("")),
            "f.toml:1: a reservation is a table: [[reservation]]");
}

}  // namespace
}  // namespace takt::scheduling
