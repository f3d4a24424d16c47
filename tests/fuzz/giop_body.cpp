// One body in every form: in one piece, arriving in pieces, with a tail of its own, in fragments of GIOP 1.1
// that keep the alignment, and in arbitrary fragments. A script says what is read. The first four must give
// the same values and the same error. The last must give what the rules for fragments, implemented
// independently in ModelBody, say of numbers, octets, strings and arrays. Each piece has memory of its own,
// and no stream is asked for octets beyond the body.
//
// The input: a format, the index of the body's first octet, the number of steps and the steps, the number of
// cuts and the cuts, and the body.
#include "body_forms.h"
#include "cdr_input.h"

namespace {

using namespace takt;
using namespace takt::cdr::test;

constexpr std::size_t max_steps = 8, max_cuts = 16, max_body = 4096;

// The cost limit of a message depends on the octets received so far, which differ between forms.
bool cost_too_much(const Transcript& transcript) {
  return transcript.error == cdr::Error::too_much_work || transcript.error == cdr::Error::no_memory;
}

void require_same(const Transcript& found, const Transcript& expected) {
  fuzz::require(found == expected || cost_too_much(found) || cost_too_much(expected));
}

}  // namespace

// A cycle of values through an Any keeps itself alive.
extern "C" const char* __lsan_default_options() { return "detect_leaks=0"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static cdr::test::Factories factories;
  static const bool made = (factories.add<Node>(), factories.add<Derived>(), factories.add<Long>(), true);
  (void)made;
  fuzz::Input input(data, size);
  cdr::Format format = fuzz::format_of(input.octet());
  const std::size_t choices = input.octet();
  const std::size_t first_index = choices % 8;
  if ((choices & 8) != 0) format.environment = &factories;
  Script script(input.octet() % max_steps);
  for (Step& step : script) step = {input.octet(), input.octet()};
  Cuts cuts(input.octet() % max_cuts);
  for (std::size_t& cut : cuts) cut = input.number(2);
  const ByteView rest = input.octets(max_body);
  const Octets body(rest.begin(), rest.end());
  cuts = in_order(cuts, body.size());

  const Transcript expected = run_in_one(body, first_index, format, script);
  StreamOf stream(body, cuts);
  require_same(run_from(stream, first_index, format, script), expected);
  fuzz::require(!stream.asked_too_much);
  TailOf tail(body, cuts);
  require_same(run_from(tail, first_index, format, script), expected);
  FragmentsOf alike(body, aligned_alike(cuts, first_index, body.size()), first_index);
  require_same(run_from(alike, first_index, format, script), expected);

  FragmentsOf askew(body, cuts, first_index);
  const Transcript found = run_from(askew, first_index, format, script);
  for (const Step& step : script)
    if (step.operation % std::size(operations) >= known) return 0;
  for (Step& step : script) step.operation %= std::size(operations);
  require_same(found, ModelBody(askew.pieces(), first_index, format.order).run(script));
  return 0;
}
