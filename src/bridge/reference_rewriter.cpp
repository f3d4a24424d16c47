#include "bridge/reference_rewriter.h"

#include <utility>

#include "bridge/inner_targets.h"
#include "reference/profiles.h"
#include "reference/references.h"
#include "reference/rewritten.h"
#include "reference/target.h"

namespace takt::bridge {

namespace {

// The address in a reference, for reports.
std::string place_of(const reference::References& references, const cdr::Ior& reference) {
  for (const cdr::TaggedProfile& tagged : reference.profiles)
    if (const auto known = reference::read_profile(references, tagged))
      return transport::to_text(
          {std::string(known->transport->name()), known->profile.host, known->profile.port});
  return {};
}

}  // namespace

ReferenceRewriter::ReferenceRewriter(reference::References& references, const InnerTargets& targets,
                                     Rewriting rewriting)
    : references_(references),
      targets_(targets),
      operations_(std::move(rewriting.operations)),
      keys_(rewriting.secret),
      inside_(std::move(rewriting.inside)),
      outside_(std::move(rewriting.outside)),
      report_(std::move(rewriting.report)) {}

void ReferenceRewriter::pass(cdr::Ior& reference, Side to) {
  if (reference.is_nil()) return;
  if (auto behind = targets_.behind(reference)) {
    if (behind->side != to) return;  // it leads through the bridge already
    reference = std::move(behind->reference);
    counts_.rewritten.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  const Side from = other(to);
  const reference::Agreement there{.code_sets = {}, .places = places(from)};
  if (reference::make_target(references_, reference, {}, &there)->routes.empty()) return keep(reference, to);
  auto published = from == Side::inside ? targets_.published_key(reference) : std::nullopt;
  const auto key = published ? std::move(*published) : keys_.seal(reference, from);
  auto outer =
      key.size() > longest_key_bytes ? std::nullopt : reference::bridged_ior(references_, reference, key);
  if (!outer) return keep(reference, to);
  reference = std::move(*outer);
  counts_.rewritten.fetch_add(1, std::memory_order_relaxed);
}

void ReferenceRewriter::keep(const cdr::Ior& reference, Side to) {
  counts_.kept.fetch_add(1, std::memory_order_relaxed);
  // References from the outside are the clients' own, or invented, so they are not reported.
  if (to == Side::inside) return;
  const std::string place = place_of(references_, reference);
  report_once(
      "a reference that leads to " + (place.empty() ? "no address known here" : place) +
      " passes to the outside as it is: what lies inside is what was published, and the endpoints that "
      "are given as inside");
}

void ReferenceRewriter::count_unread(std::string_view operation, std::string_view why) {
  counts_.unread.fetch_add(1, std::memory_order_relaxed);
  report_once("the operation " + std::string(operation) + " passes with its references, if it has any, as " +
              "they are: " + std::string(why));
}

void ReferenceRewriter::report_once(std::string text) {
  if (text.size() > longest_report_bytes)
    text.resize(longest_report_bytes);  // clients choose the names in it
  {
    std::lock_guard lock(mutex_);
    if (reported_.contains(text) || reported_.size() > most_reports) return;
    if (reported_.size() == most_reports)
      text = "the limit of different reports is reached (" + std::to_string(most_reports) +
             "): further references and bodies that pass as they are, are only counted";
    reported_.insert(text);
  }
  if (report_) report_(text);
}

}  // namespace takt::bridge
