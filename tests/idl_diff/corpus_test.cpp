// Each rule finds its own change and does not find similar ones; the rules' claims about the wire are true.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "calls.h"
#include "diff/finding.h"
#include "diff/report/report.h"
#include "diff/rules.h"

namespace takt::idl::diff {
namespace {

namespace fs = std::filesystem;

const fs::path corpus = IDL_DIFF_CORPUS;

std::string text_in(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<Finding> findings_of(const Side& old, const Side& now) {
  return compare(old.specification, now.specification);
}

std::string line_of(const Finding& finding) {
  std::string text = std::string(finding.rule->id) + " " + words_of(finding.effects, ",") + " " +
                     finding.subject + " old:" + std::to_string(finding.old_place.line) +
                     " new:" + std::to_string(finding.now_place.line) + "\n";
  for (const Carrier& carrier : finding.carriers) text += "  " + line_of(carrier) + "\n";
  return text;
}

std::string lines_of(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) text += line_of(finding);
  return text;
}

bool has(const std::vector<Finding>& findings, const Rule& rule) {
  return std::ranges::any_of(findings, [&](const Finding& one) { return one.rule == &rule; });
}

bool breaks(const std::vector<Finding>& findings, Effect effect) {
  return std::ranges::any_of(findings, [&](const Finding& one) { return one.effects & bit(effect); });
}

bool is_argued(const std::vector<Finding>& findings, Effect effect) {
  return std::ranges::any_of(findings, [&](const Finding& one) {
    return one.rule->proof == Proof::argument && (one.effects & bit(effect));
  });
}

// Each failure must be found; each finding that is not merely argued must cause a failure.
void expect_proved(const Side& client, const Side& server, const std::vector<Finding>& findings,
                   Effect effect, bool both_ways) {
  const std::string wrong = failure(client, server, effect == Effect::wire_back);
  if (!wrong.empty()) {
    EXPECT_TRUE(breaks(findings, effect)) << word_of(effect) << " fails and is not found: " << wrong;
  } else if (both_ways && !is_argued(findings, effect)) {
    EXPECT_FALSE(breaks(findings, effect)) << word_of(effect) << " is found and does not fail:\n"
                                           << lines_of(findings);
  }
}

TEST(Corpus, EachRuleFindsItsPairAndNotTheOneThatOnlyLooksLikeIt) {
  const bool update = std::getenv("TAKT_UPDATE_EXPECTED") != nullptr;
  for (const Rule& rule : rules::all) {
    SCOPED_TRACE(rule.id);
    const fs::path folder = corpus / rule.id;
    const Side old((folder / "old.idl").string()), now((folder / "new.idl").string()),
        near((folder / "near.idl").string());
    const auto found = findings_of(old, now);
    EXPECT_TRUE(has(found, rule)) << lines_of(found);
    EXPECT_FALSE(has(findings_of(old, near), rule));
    if (update)
      std::ofstream(folder / "expected.txt") << lines_of(found);
    else
      EXPECT_EQ(lines_of(found), text_in(folder / "expected.txt"));
  }
}

TEST(Corpus, HasNoFolderWithoutARule) {
  for (const auto& entry : fs::directory_iterator(corpus))
    EXPECT_NE(find_rule(entry.path().filename().string()), nullptr) << entry.path();
}

TEST(Corpus, CallsFailWhereRulesSaySo) {
  std::map<Proof, int> counts;
  for (const Rule& rule : rules::all) {
    SCOPED_TRACE(rule.id);
    const fs::path folder = corpus / rule.id;
    const Side old((folder / "old.idl").string()), now((folder / "new.idl").string()),
        near((folder / "near.idl").string());
    const auto found = findings_of(old, now), near_found = findings_of(old, near);
    expect_proved(old, now, found, Effect::wire, true);
    expect_proved(now, old, found, Effect::wire_back, true);
    expect_proved(old, near, near_found, Effect::wire, false);
    expect_proved(near, old, near_found, Effect::wire_back, false);
    ++counts[rule.proof];
  }
  std::cout << counts[Proof::octets] << " rules by octets, " << counts[Proof::operations]
            << " by operations, " << counts[Proof::exceptions] << " by exceptions, "
            << counts[Proof::argument] << " argued\n";
}

TEST(Corpus, AFileIsCompatibleWithItself) {
  for (const Rule& rule : rules::all) {
    const Side side((corpus / rule.id / "old.idl").string());
    EXPECT_EQ(lines_of(findings_of(side, side)), "") << rule.id;
    EXPECT_EQ(failure(side, side, false), "") << rule.id;
  }
}

}  // namespace
}  // namespace takt::idl::diff
