#include "bridge/relayed_call.h"

#include "bridge/relayed_body.h"
#include "client/channel/client_channel.h"
#include "reference/target.h"

namespace takt::bridge {

const reference::EncodedAnswer* RelayedCall::exchange(RelayedBody& relayed) {
  do {
    call_.begin_relayed(request_);
  } while (call_.exchange_relayed() == invocation::ClientCall::Outcome::again);
  if (!call_.channel_) return nullptr;
  const giop::Event& reply = call_.channel_->reply();
  if (reply.version.minor != call_.route_->server->giop_minor)
    throw CORBA::MARSHAL(0, CORBA::COMPLETED_MAYBE,
                         "the server answers in another version of GIOP than it was asked in");
  answer_ = {.status = reply.reply_status, .order = reply.order, .body = {}, .contexts = &reply.contexts};
  const RelayedBody::Body body = relayed.results(*call_.reply_, reply.reply_status);
  answer_.body = body.octets;
  answer_.body_index = body.index;
  return &answer_;
}

}  // namespace takt::bridge
