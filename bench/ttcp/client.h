// The client of either peer: sends sequences of each type, of 1 to 1,024 units, to one servant after the
// other, with and without a reply ([Gokhale 1998], section 3).
//
//   Peer:  Reference connect(text); digest(reference);
//          sending(references, units, oneway) and pinging(references, oneway), functions that make such a
//          call to the reference with a number
#pragma once

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "common/options.h"
#include "common/record.h"
#include "common/references.h"
#include "ttcp/types.h"

namespace bench {

// The calls of generated stubs. The peer has send(reference, units, oneway), ping(reference, oneway) and
// form(units), its own form of a vector of them.
template <class Peer>
class StubCalls {
 public:
  template <class References, class Unit>
  static auto sending(References& to, const std::vector<Unit>& units, bool oneway) {
    return [&to, oneway, form = Peer::form(units)](std::size_t i) { Peer::send(to[i], form, oneway); };
  }
  template <class References>
  static auto pinging(References& to, bool oneway) {
    return [&to, oneway](std::size_t i) { Peer::ping(to[i], oneway); };
  }
};

// `--endpoint FILE`, with a reference on each line; `--types A,B`, `--units 1,2,..`, `--strategies
// twoway,oneway`; `--calls N`: the limit per servant; `--seconds S`: the limit for each combination.
// `--bare N`: N calls of each combination and nothing else, for counting the cost of a call.
template <class Peer>
class TtcpDriver {
 public:
  TtcpDriver(Peer& peer, const Options& options)
      : peer_(peer),
        options_(options),
        limit_(std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(options.number("seconds", 0.1)))) {
    for (const std::string& reference : read_references(options.text("endpoint")))
      references_.push_back(peer_.connect(reference));
    calls_ = static_cast<std::size_t>(options.number("calls", 100)) * references_.size();
    bare_calls_ = static_cast<std::size_t>(options.number("bare", 0));
  }

  void run() {
    const auto types = listed("types");
    for (const std::string& strategy : listed("strategies")) {
      const bool oneway = strategy == "oneway";
      if (contains(types, "none")) measure("none", 0, oneway, 0, peer_.pinging(references_, oneway));
      if (contains(types, "short")) sequences<std::int16_t>("short", oneway);
      if (contains(types, "char")) sequences<char>("char", oneway);
      if (contains(types, "long")) sequences<std::int32_t>("long", oneway);
      if (contains(types, "octet")) sequences<std::uint8_t>("octet", oneway);
      if (contains(types, "double")) sequences<double>("double", oneway);
      if (contains(types, "BinStruct")) sequences<BinStruct>("BinStruct", oneway);
    }
  }

 private:
  static constexpr std::size_t warm_up = 20;

  std::vector<std::string> listed(const char* option) const {
    std::vector<std::string> words;
    std::istringstream text(options_.text(option));
    for (std::string word; std::getline(text, word, ',');) words.push_back(word);
    return words;
  }
  static bool contains(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  }

  template <class Unit>
  void sequences(const char* type, bool oneway) {
    for (const std::string& units : listed("units")) {
      const auto count = static_cast<std::size_t>(std::stoul(units));
      const auto data = make_units<Unit>(count);
      measure(type, count, oneway, digest_units(data), peer_.sending(references_, data, oneway));
    }
  }

  // Calls one servant after the other. A call without a reply is measured until it is handed over; the wait
  // until the server has received all of them is not measured.
  template <class Call>
  void measure(const char* type, std::size_t units, bool oneway, std::uint32_t digest, Call call) {
    const std::uint32_t before = peer_.digest(references_[0]);
    if (bare_calls_ != 0) {
      for (std::size_t i = 0; i < bare_calls_; ++i) call(i % references_.size());
      return await(before, bare_calls_, digest);
    }
    for (std::size_t i = 0; i < warm_up; ++i) call(i % references_.size());
    await(before, warm_up, digest);
    Samples samples(calls_);
    const auto start = Clock::now();
    for (auto last = start; !samples.full() && last < start + limit_;) {
      call(samples.size() % references_.size());
      const auto now = Clock::now();
      samples.add(now - last);
      last = now;
    }
    await(before, warm_up + samples.size(), digest);
    const double whole = seconds_of(Clock::now() - start);
    Record(options_.text("peer", "peer"), options_.text("transport", "tcp"), "ttcp")
        .text("type", type)
        .text("strategy", oneway ? "oneway" : "twoway")
        .number("units", static_cast<double>(units))
        .number("servants", static_cast<double>(references_.size()))
        .latency(samples)
        .number("received_ns", whole * 1e9 / static_cast<double>(samples.size()))
        .print();
  }

  // Each call adds its data's digest plus 1.
  void await(std::uint32_t before, std::size_t calls, std::uint32_t digest) {
    const auto expected = before + static_cast<std::uint32_t>(calls) * (digest + 1);
    for (int polls = 0; peer_.digest(references_[0]) != expected;)
      check(++polls < 100000, "the server did not receive what was sent");
  }

  Peer& peer_;
  const Options& options_;
  const Clock::duration limit_;
  std::vector<typename Peer::Reference> references_;
  std::size_t calls_ = 0;
  std::size_t bare_calls_ = 0;
};

}  // namespace bench
