// The forms of log lines, whatever peers put into them.
#include "logs/log_format.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>

namespace takt::logs {

namespace {

std::unique_ptr<LogRecord> record_of(const LogLine& line) {
  auto record = std::make_unique<LogRecord>();
  record->set(line);
  record->time_us = 1'795'667'338'123'456;  // 2026-11-26
  record->thread = 42;
  record->thread_name[0] = 'm';
  record->thread_name[1] = '\0';
  return record;
}

std::string text_of(const LogLine& line) {
  std::string text;
  append_line(text, *record_of(line), LogFormat::text, 41);
  return text;
}

std::string json_of(const LogLine& line) {
  std::string text;
  append_line(text, *record_of(line), LogFormat::json, 41);
  return text;
}

std::string printable(std::string_view text) {
  std::string to;
  append_printable(to, text);
  return to;
}

// Octets of any kind, with many that matter to terminals, JSON and UTF-8.
std::string hostile_text(std::mt19937& random, std::size_t longest) {
  static constexpr const char* pieces[] = {"\"",
                                           "\\",
                                           "\n",
                                           "\x1b[2J",
                                           "\xC2\x9B",
                                           "\x7f",
                                           "\xE2\x80\xAE",
                                           "\xED\xA0\x80",
                                           "\xF4\x90\x80\x80",
                                           "\xC0\x80",
                                           "a",
                                           "\xF0\x9F\x98\x80",
                                           "\xE2\x80\xA8"};
  std::string text;
  for (std::size_t count = random() % 40; count > 0 && text.size() < longest; --count) {
    if (random() % 2 == 0)
      text += pieces[random() % std::size(pieces)];
    else
      text += static_cast<char>(random());
  }
  return text;
}

// Characters that no terminal may get from a peer.
bool has_control(const std::string& line) {
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {  // the last one is the newline
    const auto c = static_cast<unsigned char>(line[i]), next = static_cast<unsigned char>(line[i + 1]);
    if (c < 0x20 || c == 0x7f || (c == 0xC2 && next < 0xA0)) return true;
  }
  return false;
}

}  // namespace

TEST(LogFormat, ALineOfTextHasAllOfItsParts) {
  EXPECT_EQ(
      text_of({.event = LogEvent::connection_closed, .peer = "tcp a -> b", .reason = "the peer closed it"}),
      "2026-11-26T04:28:58.123456Z takt[41] info m/42 connection-closed [tcp a -> b]: the peer closed it\n");
  EXPECT_EQ(text_of({.event = LogEvent::request_forwarded, .operation = "cube"}),
            "2026-11-26T04:28:58.123456Z takt[41] debug m/42 request-forwarded operation cube\n");
}

TEST(LogFormat, ALineOfJsonHasThemAsMembers) {
  const std::uint8_t octets[] = {'G', 0, 255};
  const auto line = nlohmann::json::parse(json_of({.event = LogEvent::message_sent,
                                                   .peer = "p",
                                                   .operation = "o",
                                                   .reason = "r",
                                                   .octets = octets,
                                                   .bytes = 900}));
  const nlohmann::json expected = {{"time", "2026-11-26T04:28:58.123456Z"},
                                   {"level", "trace"},
                                   {"process", 41},
                                   {"thread", "m"},
                                   {"thread_id", 42},
                                   {"event", "message-sent"},
                                   {"peer", "p"},
                                   {"operation", "o"},
                                   {"reason", "r"},
                                   {"bytes", 900},
                                   {"octets", "4700ff"}};
  EXPECT_EQ(line, expected);
}

TEST(LogFormat, ATraceIsInEachForm) {
  const std::uint8_t trace[16] = {0x4b, 0xf9, 0x2f};
  const std::string id = "4bf92f00000000000000000000000000";
  const LogLine line{.event = LogEvent::call_failed, .operation = "f", .reason = "why", .trace = trace};
  EXPECT_NE(text_of(line).find("operation f trace " + id + ": why"), std::string::npos) << text_of(line);
  EXPECT_EQ(nlohmann::json::parse(json_of(line))["trace_id"], id);
  std::string journal;
  append_journal(journal, *record_of(line), LogFormat::text, 41);
  EXPECT_NE(journal.find("\nTAKT_TRACE=" + id + "\n"), std::string::npos) << journal;
  EXPECT_EQ(text_of({.event = LogEvent::call_failed}).find("trace"), std::string::npos);
}

TEST(LogFormat, CountsOfLinesLeftOutAreAMember) {
  auto record = record_of({.event = LogEvent::warning, .reason = "r"});
  record->left_out = 7;
  std::string text;
  append_line(text, *record, LogFormat::json, 1);
  EXPECT_EQ(nlohmann::json::parse(text)["left_out"], 7);
}

TEST(LogFormat, ControlCharactersReachNoTerminal) {
  EXPECT_EQ(printable("a\n\x1b[2J\x7f"), "a\\u000a\\u001b[2J\\u007f");
  EXPECT_EQ(printable("\xC2\x9B"), "\\u009b") << "CSI in one character";
  EXPECT_EQ(printable("\xE2\x80\xAE"), "\\u202e") << "text from right to left";
  EXPECT_EQ(printable("\xC3\xA9\xF0\x9F\x98\x80"), "\xC3\xA9\xF0\x9F\x98\x80");
}

TEST(LogFormat, InvalidUtf8IsReplaced) {
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(printable("a\xFF"), "a" + bad);
  EXPECT_EQ(printable("\xC0\x80"), bad + bad) << "an overlong zero";
  EXPECT_EQ(printable("\xED\xA0\x80"), bad + bad + bad) << "a surrogate";
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), bad + bad + bad + bad) << "beyond U+10FFFF";
  EXPECT_EQ(printable("\xE2\x82"), bad + bad) << "an incomplete character";
}

TEST(LogFormat, LongTextsAreCutAtACharactersEnd) {
  std::string operation(LogRecord::operation_bytes - 4, 'x');
  operation += "\xF0\x9F\x98\x80 and more";
  const auto record = record_of({.event = LogEvent::warning, .operation = operation});
  EXPECT_EQ(record->operation(), std::string(LogRecord::operation_bytes - 4, 'x') + "...");
  const auto whole = record_of({.event = LogEvent::warning, .reason = std::string(1000, 'y')});
  EXPECT_EQ(whole->reason(), std::string(1000, 'y'));
}

TEST(LogFormat, WhateverAPeerSendsALineIsValidJsonAndWithoutControlCharacters) {
  std::mt19937 random(26);
  for (int i = 0; i < 20'000; ++i) {
    const std::string peer = hostile_text(random, 300), operation = hostile_text(random, 300),
                      reason = hostile_text(random, 3000);
    const LogLine line{
        .event = LogEvent::request_failed, .peer = peer, .operation = operation, .reason = reason};
    const std::string json = json_of(line), text = text_of(line);
    ASSERT_NO_THROW((void)nlohmann::json::parse(json).size()) << "case " << i << ": " << json;
    ASSERT_FALSE(has_control(json)) << "case " << i;
    ASSERT_FALSE(has_control(text)) << "case " << i;
    ASSERT_EQ(json.find('\n'), json.size() - 1);
    ASSERT_EQ(text.find('\n'), text.size() - 1);
    ASSERT_LT(json.size(), 10'000u);
    ASSERT_NO_THROW((void)nlohmann::json(text).dump()) << "case " << i << ": text is valid UTF-8";
  }
}

TEST(LogFormat, AJournalsDatagramHasItsFields) {
  std::string datagram;
  append_journal(datagram, *record_of({.event = LogEvent::accept_failed, .peer = "p\n", .reason = "r"}),
                 LogFormat::text, 1);
  EXPECT_EQ(datagram,
            "PRIORITY=3\nSYSLOG_IDENTIFIER=takt\nTAKT_EVENT=accept-failed\nTAKT_PEER=p\\u000a\n"
            "MESSAGE=m/42 accept-failed [p\\u000a]: r\n");
}

TEST(LogFormat, ThePageDescribesEachEventWithItsLevel) {
  std::ifstream file(LOGS_PAGE);
  std::stringstream page;
  page << file.rdbuf();
  constexpr const char* levels[] = {"off", "error", "warning", "info", "debug", "trace"};
  for (const LogEventInfo& event : log_events) {
    const std::string row =
        "| `" + std::string(event.name) + "` | " + levels[static_cast<std::size_t>(event.level)] + " | ";
    EXPECT_NE(page.str().find(row), std::string::npos) << row;
  }
}

}  // namespace takt::logs
