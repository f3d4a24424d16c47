#include "invocation/relayed_call.h"

#include <algorithm>

#include "connection/client/client_channel.h"
#include "connection/references/target.h"

namespace takt::invocation {

ByteView whole_body(cdr::Decoder& body, std::vector<std::uint8_t>& storage,
                    CORBA::CompletionStatus completed) {
  if (!body.indices_hold(body.remaining()))
    throw CORBA::MARSHAL(
        0, completed,
        "a message in fragments of GIOP 1.1 cannot be passed on without being decoded: let its "
        "sender use GIOP 1.2, or longer fragments");
  if (body.all_present()) return body.get_octets_view(body.remaining());
  // No memory for what a head only announces.
  constexpr std::size_t step_bytes = 256 * 1024;
  storage.clear();
  while (body.ok() && body.remaining() != 0) {
    const std::size_t have = storage.size();
    storage.resize(have + std::min(body.remaining(), step_bytes));
    body.get_octets(MutableBytes(storage).subspan(have));
  }
  if (!body.ok()) throw CORBA::MARSHAL(0, completed, "a message that is passed on ended before its end");
  return storage;
}

const connection::EncodedAnswer* RelayedCall::exchange() {
  do {
    call_.begin_relayed(request_);
  } while (call_.exchange_relayed() == ClientCall::Outcome::again);
  if (!call_.channel_) return nullptr;
  const giop::Event& reply = call_.channel_->reply();
  if (reply.version.minor != call_.route_->server->giop_minor)
    throw CORBA::MARSHAL(0, CORBA::COMPLETED_MAYBE,
                         "the server answers in another version of GIOP than it was asked in");
  answer_ = {.status = static_cast<std::uint32_t>(reply.reply_status),
             .order = reply.order,
             .body = {},
             .body_index = reply.body_index,
             .contexts = &reply.contexts};
  answer_.body = whole_body(*call_.reply_, storage_, CORBA::COMPLETED_MAYBE);
  return &answer_;
}

}  // namespace takt::invocation
