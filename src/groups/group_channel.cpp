#include "groups/group_channel.h"

#include "client/channel/probed_channel.h"
#include "client/client.h"

namespace takt::groups {

using Status = client::Exchange::Status;

Status GroupChannel::exchange(std::uint32_t, bool response_expected, std::chrono::nanoseconds timeout) {
  ending_ = {.phase = "send"};
  if (response_expected) return ending_.status = Status::oneway_only;
  auto deadline = deadline_;
  if (timeout.count() > 0) deadline = std::min(deadline, std::chrono::steady_clock::now() + timeout);
  if (at_once_) deadline = std::chrono::steady_clock::now();
  pieces_.clear();
  out_.gather(pieces_);
  const auto result = sender_->send(pieces_, deadline);
  if (result.status == os::IoStatus::ok) return Status::sent;
  ending_.sent_in_part = result.bytes != 0;
  ending_.error = result.error;
  ending_.reason = "the system did not send it to the group";
  if (result.status == os::IoStatus::timed_out)
    return ending_.status = at_once_ ? Status::refused : Status::timeout;
  broken_ = true;
  return ending_.status = Status::failed;
}

std::expected<std::unique_ptr<client::ClientChannel>, transport::ConnectError> GroupConnectionStrategy::open(
    client::Client& client, const reference::Route::Address& address, const reference::ConnectionKey&,
    std::chrono::steady_clock::time_point) {
  auto sender = transport::miop::GroupSender::open(address.endpoint, options_, address.streams);
  if (!sender) return std::unexpected(std::move(sender.error()));
  return client::make_channel<GroupChannel>(client.steps, std::move(*sender));
}

}  // namespace takt::groups
