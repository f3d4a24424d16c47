#include "streams/sfp/output.h"

#include <algorithm>
#include <cerrno>

#include <takt/cdr/exception.h>

#include "streams/sfp/messages.h"

namespace takt::streams::sfp {
namespace {

using namespace std::chrono_literals;

constexpr auto between_starts = 100ms;
constexpr auto without_credit = 1s;
constexpr std::size_t least_packet_bytes = 64;
constexpr int answers_at_once = 64;
constexpr std::uint32_t most_credit = 1'000'000;

}  // namespace

Output::Output(const std::string& host, std::uint16_t port, const Options& options)
    : options_(options),
      packet_bytes_(std::clamp(options.packet_bytes, least_packet_bytes, most_datagram_bytes)),
      socket_(Datagrams::to(address_of(host, port), options.dscp)),
      answer_(64) {
  ask_to_start(os::Clock::now());
}

Output::~Output() {
  write_end(packet_);
  socket_.send(packet_);
}

void Output::ask_to_start(os::TimePoint now) {
  next_start_ = now + between_starts;
  write_start(packet_);
  note(socket_.send(packet_));
}

void Output::note(int error) {
  if (error == ECONNREFUSED && refusals_.note_refusal(os::Clock::now()))
    throw CORBA::COMM_FAILURE(0, CORBA::COMPLETED_MAYBE, "nothing receives the frames of SFP any more");
}

void Output::take_answers() {
  for (int i = 0; i < answers_at_once; ++i) {
    std::size_t bytes = 0;
    Address from;
    const int error = socket_.receive(answer_, bytes, from);
    note(error);
    if (error != 0) return;
    const auto message = parse(ByteView(answer_).first(bytes));
    if (!message) continue;
    refusals_.note_answer();
    if (message->kind == Kind::start_reply) {
      is_started_ = true;
      credit_ = options_.credit;
    } else if (message->kind == Kind::credit) {
      credit_ = std::min(credit_ + std::min(message->number, most_credit), std::max(options_.credit, 1U));
    }
  }
}

bool Output::send_packet() {
  const int error = socket_.send(packet_);
  note(error);
  return error == 0 || (error == ECONNREFUSED && socket_.send(packet_) == 0);
}

bool Output::send(std::span<const std::uint8_t> frame, std::uint32_t timestamp) {
  const auto now = os::Clock::now();
  refusals_.note_frame(now);
  take_answers();
  if (!is_started_ || !has_credit()) {
    if (now >= next_start_) ask_to_start(now);
    return false;
  }
  next_start_ = now + without_credit;
  if (options_.credit != 0) --credit_;
  const std::uint32_t sequence = sequence_++;
  ByteView rest(frame.data(), frame.size());
  for (std::uint32_t number = 0; !rest.empty(); ++number) {
    const std::size_t head = number == 0 ? frame_head_bytes : fragment_head_bytes;
    const ByteView part = rest.first(std::min(rest.size(), packet_bytes_ - head));
    rest = rest.subspan(part.size());
    if (number == 0)
      write_frame(packet_, sequence, timestamp, part, !rest.empty());
    else
      write_fragment(packet_, sequence, number, part, !rest.empty());
    if (!send_packet()) return false;
  }
  return true;
}

}  // namespace takt::streams::sfp
