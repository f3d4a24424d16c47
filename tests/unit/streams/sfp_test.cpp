#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "streams/sfp/assembly.h"
#include "streams/sfp/messages.h"
#include "streams/sfp/refusals.h"

using namespace std::string_literals;
using namespace takt::streams::sfp;

namespace {

std::vector<std::uint8_t> octets(const std::string& text) { return {text.begin(), text.end()}; }

std::string shown(const std::string& datagram) {
  const auto whole = octets(datagram);
  const auto message = parse(whole);
  if (!message) return "refused";
  const char* const kinds[] = {"start", "reply", "credit", "end", "simple", "sequenced", "frame", "fragment"};
  return kinds[static_cast<int>(message->kind)] + (message->has_more ? "+ "s : " "s) +
         std::to_string(message->timestamp) + " " + std::to_string(message->sequence) + " " +
         std::to_string(message->number) + " " +
         std::string(message->payload.begin(), message->payload.end());
}

// The octets of the sheet, in both byte orders.
TEST(SimpleFlowProtocol, MessagesAreRead) {
  const struct {
    std::string datagram, shown;
  } rows[] = {
      {"=STA\1\0\0"s, "start 0 0 0 "},
      {"=STA\2\0\0"s, "refused"},
      {"=STR\0"s, "reply 0 0 0 "},
      {"=CRE\0\0\0\5"s, "credit 0 0 5 "},
      {"=CRE\5\0\0\0"s, "credit 0 0 5 "},
      {"=CRE\5\0\0"s, "refused"},
      {"=SFP\1\1\0\0\0\0\0\0"s, "end 0 0 0 "},
      {"=SFP\1\2\0\0\16\0\0\0ab"s, "simple 0 0 0 ab"},
      {"=SFP\0\2\0\0\0\0\0\2ab"s, "simple 0 0 0 ab"},
      {"=SFP\3\2\0\0\16\0\0\0ab"s, "refused"},
      {"=SFP\1\2\0\0\17\0\0\0ab"s, "refused"},
      {"=SFP\0\3\0\0\0\0\0\22\0\0\0\7ab"s, "sequenced 0 7 0 ab"},
      {"=SFP\0\3\0\0\0\0\0\17\0\0\0"s, "refused"},
      {"=SFP\0\4\0\0\0\0\0\42\0\0\0\11\0\0\0\1\0\0\0\1\0\0\0\2\0\0\0\7ab"s, "frame 9 7 0 ab"},
      {"=SFP\2\4\0\0\0\0\0\36\0\0\0\11\0\0\0\1\0\0\0\0\0\0\0\7ab"s, "frame+ 9 7 0 ab"},
      {"=SFP\0\4\0\0\0\0\0\36\0\0\0\11\0\0\0\1\377\377\377\377\0\0\0\7ab"s, "refused"},
      {"=SFP\0\5\0\0\0\0\0\26\0\0\0\1\0\0\0\2ab"s, "refused"},
      {"FRAG\2\0\0\0\0\0\0\1\0\0\0\7\0\0\0\32\0\0\0\0ab"s, "fragment+ 0 7 1 ab"},
      {"FRAG\1\0\0\0\1\0\0\0\7\0\0\0\2\0\0\0\0\0\0\0ab"s, "fragment 0 7 1 ab"},
      {"FRAG\0\0\0\0\0\0\0\0\0\0\0\7\0\0\0\32\0\0\0\0ab"s, "refused"},
      {"FRAG\0\0\0\0\0\0\0\1\0\0\0\7\0\0\0\33\0\0\0\0ab"s, "refused"},
      {""s, "refused"},
      {"=SFP\1"s, "refused"},
  };
  for (const auto& each : rows)
    EXPECT_EQ(shown(each.datagram), each.shown) << testing::PrintToString(each.datagram);
}

TEST(SimpleFlowProtocol, MessagesThatAreWrittenAreRead) {
  const auto payload = octets("abc");
  const struct {
    std::function<void(std::vector<std::uint8_t>&)> write;
    std::string shown;
  } rows[] = {
      {write_start, "start 0 0 0 "},
      {write_start_reply, "reply 0 0 0 "},
      {write_end, "end 0 0 0 "},
      {[](auto& into) { write_credit(into, 70'000); }, "credit 0 0 70000 "},
      {[&](auto& into) { write_frame(into, 7, 9, payload, true); }, "frame+ 9 7 0 abc"},
      {[&](auto& into) { write_fragment(into, 7, 3, payload, false); }, "fragment 0 7 3 abc"},
  };
  for (const auto& each : rows) {
    std::vector<std::uint8_t> datagram{1, 2, 3};
    each.write(datagram);
    EXPECT_EQ(shown({datagram.begin(), datagram.end()}), each.shown);
  }
}

class Assemblies : public testing::Test {
 protected:
  // The frame that the part of frame `sequence` completes, or "-".
  std::string take(std::uint32_t sequence, std::uint32_t number, const std::string& text, bool has_more) {
    const auto payload = octets(text);
    const auto frame = assembly.take({.kind = number == 0 ? Kind::frame : Kind::fragment,
                                      .has_more = has_more,
                                      .timestamp = number == 0 ? sequence * 10 : 0,
                                      .sequence = sequence,
                                      .number = number,
                                      .payload = payload});
    if (!frame) return "-";
    return std::to_string(frame->timestamp) + std::string(frame->octets.begin(), frame->octets.end());
  }

  Assembly assembly{{.frame_bytes = 10, .frames = 2, .bytes = 1000}};
};

TEST_F(Assemblies, MakeFramesOfFragmentsInAnyOrder) {
  EXPECT_EQ(take(1, 0, "whole", false), "10whole");
  EXPECT_EQ(take(2, 2, "c", false), "-");
  EXPECT_EQ(take(3, 0, "x", true), "-");
  EXPECT_EQ(take(2, 0, "a", true), "-");
  EXPECT_EQ(take(2, 0, "a", true), "-");  // twice
  EXPECT_EQ(take(2, 1, "b", true), "20abc");
  EXPECT_EQ(take(3, 1, "y", false), "30xy");
  EXPECT_EQ(assembly.kept(), 0u);
  EXPECT_EQ(assembly.bytes(), 0u);
  EXPECT_EQ(assembly.incomplete(), 0u);
}

TEST_F(Assemblies, GiveFramesOnceThatComeTwice) {
  EXPECT_EQ(take(1, 0, "whole", false), "10whole");
  EXPECT_EQ(take(1, 0, "whole", false), "-");
  EXPECT_EQ(take(2, 0, "a", true), "-");
  EXPECT_EQ(take(2, 1, "b", false), "20ab");
  EXPECT_EQ(take(2, 1, "b", false), "-");
  EXPECT_EQ(assembly.kept(), 0u);
  assembly.clear();
  EXPECT_EQ(take(1, 0, "new", false), "10new") << "another producer begins";
  const Message simple{.kind = Kind::simple_frame, .payload = octets("x")};
  EXPECT_TRUE(assembly.take(simple));
  EXPECT_TRUE(assembly.take(simple)) << "it has no number";
}

TEST_F(Assemblies, GiveUpWhatIsTooMuchOrLies) {
  EXPECT_EQ(take(1, 0, "12345678901", false), "-");  // longer than a frame may be
  EXPECT_EQ(assembly.incomplete(), 1u);
  take(2, 0, "a", true), take(3, 0, "a", true), take(4, 0, "a", true);  // the third replaces the first
  EXPECT_EQ(assembly.kept(), 2u);
  EXPECT_EQ(assembly.incomplete(), 2u);
  take(4, 1, "1234567890", false);  // together too long
  EXPECT_EQ(assembly.incomplete(), 3u);
  take(3, 5, "a", true), take(3, 2, "a", false);  // a last fragment before others
  EXPECT_EQ(assembly.incomplete(), 4u);
  EXPECT_EQ(assembly.kept(), 0u);
  for (std::uint32_t i = 1; i < 100; ++i) take(5, i, "", true);
  EXPECT_EQ(assembly.kept(), 0u);
}

takt::os::TimePoint at(int milliseconds) {
  return takt::os::TimePoint() + std::chrono::milliseconds(milliseconds);
}

// Sends a frame at each of these times, when a refusal of the one before is seen. Returns the time at which
// the consumer counts as gone; 0: at none.
int gone_at(const std::vector<int>& milliseconds, int answer_at = 0) {
  Refusals refusals(at(0));
  for (const int time : milliseconds) {
    refusals.note_frame(at(time));
    if (time == answer_at) refusals.note_answer();
    if (time != milliseconds.front() && refusals.note_refusal(at(time))) return time;
  }
  return 0;
}

TEST(SfpRefusals, ComeAsSeldomAsFramesUntilTheConsumerIsGone) {
  EXPECT_EQ(gone_at({10'000, 20'000, 30'000, 40'000}), 30'000) << "the flow has a frame in ten seconds";
  EXPECT_EQ(gone_at({1'100, 2'200, 3'300, 4'400}), 3'300);
  EXPECT_EQ(gone_at({400, 800, 1'200, 1'600, 2'000}), 2'000) << "after a second of refusals";
  EXPECT_EQ(gone_at({10'000, 20'000, 20'001, 30'000}), 30'000) << "two frames may come close together";
  EXPECT_EQ(gone_at({10'000, 20'000, 30'000, 40'000}, 30'000), 40'000) << "an answer begins anew";
}

TEST(SfpRefusals, WithAGapOfManyFramesAreOfSeveralLosses) {
  Refusals refusals(at(0));
  for (int time = 100; time <= 9'000; time += 100) {
    refusals.note_frame(at(time));
    const bool is_refused = time % 3'000 == 0;
    EXPECT_FALSE(is_refused && refusals.note_refusal(at(time)));
  }
}

}  // namespace
