#include "bidirectional/bidirectional_requests.h"

#include <new>
#include <optional>

namespace takt::bidirectional {

using Sent = server::QueuedChannel::Sent;
using Status = client::Exchange::Status;

namespace {

void note(Sent sent, client::Exchange& result) {
  switch (sent) {
    case Sent::closed:
      result.status = Status::retry;
      result.reason = "the connection ended before";
      break;
    case Sent::refused:
      result.status = Status::refused;
      result.reason = "the peer does not take what was sent before";
      break;
    case Sent::failed:
      result.sent_in_part = true;
      result.reason = "the connection failed";
      break;
    case Sent::all:
      result.status = Status::sent;
      break;
  }
}

}  // namespace

client::Exchange BidirectionalRequests::exchange(server::QueuedChannel& connection, GatherBuffer& request,
                                                 std::uint32_t request_id, bool response_expected,
                                                 Clock::time_point deadline, client::Waiter& waiter) {
  if (response_expected)
    if (const auto refused = replies_.enlist(request_id, waiter)) return *refused;
  client::Exchange result;
  result.phase = "send";
  std::optional<Sent> sent;
  try {
    sent = connection.send_request(request, response_expected);
  } catch (const std::bad_alloc&) {  // thrown before any of it was sent
    result.status = Status::no_memory;
    result.reason = "there is no memory to send it";
  }
  if (sent) note(*sent, result);
  if (!response_expected) {
    // The send may have failed because the peer has announced a close; the reader finds out.
    if (result.status != Status::failed || replies_.enlist(request_id, waiter)) return result;
    return replies_.wait(request_id, waiter, deadline);
  }
  const bool told = result.status == Status::sent || result.status == Status::failed;
  const client::Exchange ending = replies_.wait(request_id, waiter, told ? deadline : Clock::now());
  return told ? ending : result;
}

void BidirectionalRequests::end(Ending how) {
  client::Exchange ending;
  ending.phase = "wait for the reply";
  if (how == Ending::in_good_order) {
    ending.status = Status::retry;
    ending.reason = "the peer closed the connection in good order";
  } else {
    ending.sent_in_part = true;
    ending.reason = "the connection ended without a word";
  }
  replies_.end(ending);
}

}  // namespace takt::bidirectional
