// Traces that are joined from several files, and their views.
#include "trace/traces.h"

#include <gtest/gtest.h>

#include "common/output.h"
#include "trace/views.h"

namespace takt::command {
namespace {

using tracing::ReadSpan;
using tracing::SpanFile;

ReadSpan span_of(std::uint8_t trace, std::uint8_t span, std::uint8_t parent, std::int64_t start_ns,
                 std::string name = "op", std::uint8_t kind = 3) {
  ReadSpan read{};
  read.trace[15] = trace;
  read.span[7] = span;
  read.parent[7] = parent;
  read.start_ns = start_ns;
  read.duration_ns = 100;
  read.kind = kind;
  read.name = std::move(name);
  return read;
}

SpanFile file_of(std::vector<ReadSpan> spans, std::string program = "program") {
  SpanFile file;
  file.process = 42;
  file.program = std::move(program);
  file.ended = spans.size();
  file.spans = std::move(spans);
  return file;
}

// Each span and its depth, in the order of the tree.
std::string shape(const Trace& trace) {
  std::string text;
  visit_tree(trace, [&](const TracedSpan& span, std::size_t depth) {
    text += std::string(depth, ' ') + std::to_string(span.span[7]) + "\n";
  });
  return text;
}

TEST(JoinedTraces, AreATreeOverProcesses) {
  const Traces traces = join({file_of({span_of(1, 1, 0, 10), span_of(1, 4, 1, 60)}, "client"),
                              file_of({span_of(1, 2, 1, 20, "op", 2), span_of(1, 3, 2, 30)}, "middle"),
                              file_of({span_of(1, 5, 4, 70, "op", 2)}, "last")});
  ASSERT_EQ(traces.all.size(), 1u);
  EXPECT_EQ(traces.all[0].processes, 3u);
  EXPECT_EQ(traces.all[0].start_ns, 10);
  EXPECT_EQ(traces.all[0].end_ns, 170);
  EXPECT_EQ(shape(traces.all[0]), "1\n 2\n  3\n 4\n  5\n");
}

TEST(JoinedTraces, AreOneForEachId) {
  const Traces traces = join({file_of({span_of(2, 1, 0, 50), span_of(1, 1, 0, 10)})});
  ASSERT_EQ(traces.all.size(), 2u);
  EXPECT_EQ(traces.all[0].id[15], 1);
  EXPECT_EQ(traces.all[1].id[15], 2);
}

TEST(JoinedTraces, TakeASpanOnce) {
  const SpanFile file = file_of({span_of(1, 1, 0, 10), span_of(1, 2, 1, 20)});
  EXPECT_EQ(shape(join({file, file}).all[0]), "1\n 2\n");
}

TEST(JoinedTraces, HaveSpansWhoseParentIsInNoFileAsRoots) {
  const Traces traces = join({file_of({span_of(1, 2, 9, 20), span_of(1, 3, 2, 30)})});
  EXPECT_EQ(shape(traces.all[0]), "2\n 3\n");
  EXPECT_NE(tree_in_words(traces.all[0], traces).find("parent 0000000000000009 is in no file"),
            std::string::npos);
}

TEST(JoinedTraces, SurviveRingsAndSpansThatAreTheirOwnParents) {
  const auto spans_of = [](std::vector<ReadSpan> spans) {
    const Traces traces = join({file_of(std::move(spans))});
    std::size_t count = 0;
    visit_tree(traces.all[0], [&](const TracedSpan&, std::size_t) { ++count; });
    return count;
  };
  EXPECT_EQ(spans_of({span_of(1, 1, 1, 10)}), 1u);
  EXPECT_EQ(spans_of({span_of(1, 1, 2, 10), span_of(1, 2, 1, 20)}), 2u);
  EXPECT_EQ(spans_of({span_of(1, 1, 3, 30), span_of(1, 2, 1, 20), span_of(1, 3, 2, 10)}), 3u);
  EXPECT_EQ(spans_of({span_of(1, 1, 2, 10), span_of(1, 2, 3, 20), span_of(1, 3, 2, 30)}), 3u);
}

// A parent's clock may be behind its child's.
TEST(JoinedTraces, NeedNoCommonClock) {
  EXPECT_EQ(shape(join({file_of({span_of(1, 1, 0, 500)}), file_of({span_of(1, 2, 1, 20)})}).all[0]),
            "1\n 2\n");
}

TEST(JoinedTraces, OfAVeryLongChainAreShown) {
  std::vector<ReadSpan> spans;
  for (int i = 1; i <= 60000; ++i) {
    ReadSpan span = span_of(1, 0, 0, i);
    for (int octet = 0; octet < 2; ++octet) {
      span.span[static_cast<std::size_t>(octet)] = static_cast<std::uint8_t>(i >> 8 * octet);
      span.parent[static_cast<std::size_t>(octet)] = static_cast<std::uint8_t>((i - 1) >> 8 * octet);
    }
    spans.push_back(std::move(span));
  }
  const Traces traces = join({file_of(std::move(spans))});
  EXPECT_EQ(traces.all[0].roots.size(), 1u);
  EXPECT_LT(tree_in_words(traces.all[0], traces).size(), 60000u * 300);
}

TEST(JoinedTraces, CountWhatIsMissing) {
  SpanFile file = file_of({span_of(1, 1, 0, 10)});
  file.ended = 10;
  file.left_out = 2;
  file.torn = 3;
  const Traces traces = join({file});
  EXPECT_EQ(traces.left_out, 5u);
  EXPECT_EQ(traces.overwritten, 4u);
}

TEST(ViewsOfTraces, PrintNoControlCharacters) {
  const std::string hostile = "\x1b[2J\n<script>\xff";
  SpanFile file = file_of({span_of(1, 1, 0, 10, hostile)}, hostile);
  file.spans[0].failed = true;
  file.spans[0].failure = file.spans[0].peer = hostile;
  const Traces traces = join({file});
  for (const std::string& text : {tree_in_words(traces.all[0], traces), list_in_words(traces)}) {
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find("\n<"), std::string::npos);
  }
  EXPECT_TRUE(Json::accept(text_of(tree_as_json(traces.all[0], traces))));
  EXPECT_TRUE(Json::accept(text_of(as_chrome_trace(traces.all[0], traces))));
}

TEST(ViewsOfTraces, ForPerfettoHaveAnArrowForEachCallOfAnotherProcess) {
  const Traces traces =
      join({file_of({span_of(1, 1, 0, 10)}), file_of({span_of(1, 2, 1, 20, "op", 2), span_of(1, 3, 2, 30)})});
  std::string types;
  const Json json = as_chrome_trace(traces.all[0], traces);
  for (const Json& event : json["traceEvents"]) types += event["ph"].get<std::string>();
  EXPECT_EQ(types, "MMXXsfX");
}

TEST(ViewsOfTraces, ShowTimesInFittingUnits) {
  EXPECT_EQ(in_words(1500), "1.5 us");
  EXPECT_EQ(in_words(1'234'000), "1.234 ms");
  EXPECT_EQ(in_words(2'500'000'000), "2.500 s");
  EXPECT_EQ(time_in_words(1'795'667'338'123'456'789), "2026-11-26T04:28:58.123456Z");
}

}  // namespace
}  // namespace takt::command
