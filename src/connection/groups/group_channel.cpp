#include "connection/groups/group_channel.h"

#include "connection/orb_core.h"
#include "connection/probes/probed_channel.h"

namespace takt::connection {

using Status = Exchange::Status;

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

std::expected<std::unique_ptr<ClientChannel>, transport::ConnectError> GroupMux::open(
    OrbCore& core, const Route::Address& address, const ConnectionKey&,
    std::chrono::steady_clock::time_point) {
  auto sender = transport::miop::GroupSender::open(address.endpoint, core.options.groups, address.streams);
  if (!sender) return std::unexpected(std::move(sender.error()));
  return make_channel<GroupChannel>(core.probes, std::move(*sender));
}

}  // namespace takt::connection
