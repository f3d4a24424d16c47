// A server's log messages about failing requests.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "config/reports/failure_reports.h"

namespace takt::orb {

namespace {

// A log whose lines are "EVENT: REASON".
class Caught {
 public:
  Warnings warnings() const { return Warnings(log_); }
  std::string text() const { return log_->text; }
  bool has(const std::string& part) const { return log_->text.find(part) != std::string::npos; }
  std::size_t lines() const { return static_cast<std::size_t>(std::ranges::count(log_->text, '\n')); }
  void set_level(LogLevel level) const { log_->set_level(level); }

 private:
  struct Log final : EventLog {
    void write(const LogLine& line) noexcept override {
      if (takes(line.event))
        text.append(info_of(line.event).name).append(": ").append(line.reason).append("\n");
    }
    std::string text;
  };
  const std::shared_ptr<Log> log_ = std::make_shared<Log>();
};

CORBA::UNKNOWN unknown(const std::string& why) { return CORBA::UNKNOWN(0, CORBA::COMPLETED_MAYBE, why); }

}  // namespace

TEST(FailureReports, SayEachTextOnce) {
  const Caught caught;
  FailureReports reports(caught.warnings());
  for (int i = 0; i < 3; ++i) reports.report("deposit", unknown("disk full"));
  EXPECT_EQ(caught.text(),
            "request-failed: deposit fails with CORBA::UNKNOWN (minor 0x0, COMPLETED_MAYBE): disk full\n");
  reports.report("withdraw", unknown("disk full"));
  EXPECT_EQ(caught.lines(), 1u) << "names, which clients choose, make no text another";
  reports.report("withdraw", unknown("disk gone"));
  EXPECT_EQ(caught.lines(), 2u);
}

TEST(FailureReports, SayWhatIsNoRequestsFailureOnceToo) {
  const Caught caught;
  FailureReports reports(caught.warnings());
  for (int i = 0; i < 3; ++i) reports.say_once(LogEvent::warning, "no thread");
  EXPECT_EQ(caught.text(), "warning: no thread\n");
}

TEST(FailureReports, SayNothingOfExceptionsWithoutText) {
  const Caught caught;
  FailureReports reports(caught.warnings());
  reports.report("deposit", unknown(""));
  EXPECT_EQ(caught.text(), "");
}

TEST(FailureReports, SayNothingOfObjectsThatAreNotThere) {
  const Caught caught;
  FailureReports reports(caught.warnings());
  reports.report("deposit", CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "no such object"));
  EXPECT_EQ(caught.text(), "");
}

TEST(FailureReports, AreALineWhateverIsInThem) {
  const Caught caught;
  FailureReports reports(caught.warnings());
  reports.report("a\n\x1b[2Jtakt: all is well" + std::string(1000, 'x'), unknown("disk\nfull"));
  EXPECT_EQ(caught.lines(), 1u);
  EXPECT_EQ(caught.text().find('\x1b'), std::string::npos);
  EXPECT_LT(caught.text().size(), 200u);
  EXPECT_NE(caught.text().find("disk full\n"), std::string::npos);
}

TEST(FailureReports, AreBoundedAndSayThatFurtherOnesAreCounted) {
  const Caught caught;
  {
    FailureReports reports(caught.warnings());
    for (std::size_t i = 0; i < 3 * FailureReports::most; ++i)
      reports.report("deposit", unknown(std::to_string(i)));
    EXPECT_EQ(caught.lines(), FailureReports::most + 1);
    EXPECT_TRUE(caught.has("further ones are only counted"));
  }
  EXPECT_TRUE(caught.has("warning: 128 warnings were counted and not reported\n"));
}

TEST(FailureReports, AreSaidAgainAfterAPause) {
  static os::TimePoint now;
  now = os::Clock::now();
  const Caught caught;
  FailureReports reports(caught.warnings(), [] { return now; });
  const auto fail = [&](const std::string& why) { reports.report("deposit", unknown(why)); };
  for (std::size_t i = 0; i < FailureReports::most + 5; ++i) fail(std::to_string(i));
  const std::size_t lines = caught.lines();
  now += FailureReports::pause - std::chrono::seconds(1);
  fail("too early");
  EXPECT_EQ(caught.lines(), lines);
  now += std::chrono::seconds(1);
  fail("late enough");
  EXPECT_TRUE(caught.has("warning: 6 warnings were counted and not reported\n"));
  EXPECT_TRUE(caught.has("late enough"));
  EXPECT_EQ(caught.lines(), lines + 2);
  for (std::size_t i = 0; i < 2 * FailureReports::most; ++i) fail("anew " + std::to_string(i));
  EXPECT_EQ(caught.lines(), lines + 2 + FailureReports::most - 1 + 1);
}

TEST(FailureReports, SayATextOnceInATimeIfThatIsAskedFor) {
  static os::TimePoint now;
  now = os::Clock::now();
  const Caught caught;
  FailureReports reports(caught.warnings(), [] { return now; }, std::chrono::hours(1));
  const auto say = [&] { reports.say_once(LogEvent::accept_failed, "no descriptor"); };
  say();
  now += std::chrono::minutes(59);
  say();
  EXPECT_EQ(caught.lines(), 1u);
  now += std::chrono::minutes(1);
  say();
  say();
  EXPECT_EQ(caught.text(), "accept-failed: no descriptor\naccept-failed: no descriptor\n");
}

TEST(FailureReports, FollowTheLogLevel) {
  const Caught caught;
  FailureReports reports(caught.warnings());
  caught.set_level(LogLevel::error);
  reports.report("deposit", unknown("disk full"));
  EXPECT_EQ(caught.text(), "");
  caught.set_level(LogLevel::warning);
  reports.report("deposit", unknown("disk full"));
  EXPECT_EQ(caught.lines(), 1u);
}

}  // namespace takt::orb
