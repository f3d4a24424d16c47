// Polled calls of the classic mapping by the runtime's pollers. A reply is kept as it was encoded, until the
// program asks for it.
#include <takt/classic/call.h>

#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <takt/async/poller.h>
#include <takt/async/reply.h>
#include <takt/async/sending.h>
#include <takt/cdr/environment.h>

#include "classic/bridge/runtime.h"
#include "classic_async/bridge/operation_type.h"
#include "classic_async/bridge/polled_calls.h"

namespace takt::classic {

namespace polled {

using asynchronous::new_type;
using asynchronous::OperationType;

namespace {

// A handler of the classic mapping, for the runtime.
class Handler final : public virtual Messaging::ReplyHandler {
 public:
  Handler(const OperationType& type, void* handler) : type_(type), handler_(handler) {}
  ~Handler() override { type_.release(handler_); }
  void give(async::Reply& reply) const { type_.deliver(handler_, reinterpret_cast<DeliveredReply&>(reply)); }

 private:
  const OperationType& type_;
  void* const handler_;
};

class KeptReply final : public async::PolledCall {
 public:
  using PolledCall::PolledCall;

  void keep(const async::Reply& reply) {
    kind_ = reply.kind();
    failure_ = reply.failure();
    if (kind_ != async::Reply::Kind::failure) try {
        copy(reply);
      } catch (const std::bad_alloc&) {
        fail(CORBA::NO_MEMORY(0, CORBA::COMPLETED_YES));
      }
    end();
  }
  // The outcome, once it is there.
  async::Reply& reply() {
    if (kind_ == async::Reply::Kind::failure) {
      reply_.emplace(operation(), failure_);
    } else {
      decoder_.emplace(ByteView(octets_).subspan(lead_in_), index_, format_);
      if (kind_ == async::Reply::Kind::user_exception)
        reply_.emplace(operation(), *decoder_, exception_id_);
      else
        reply_.emplace(operation(), *decoder_);
    }
    return *reply_;
  }

 private:
  template <class Failure>
  void fail(const Failure& failure) {
    kind_ = async::Reply::Kind::failure;
    failure_ = std::make_exception_ptr(failure);
  }
  void copy(const async::Reply& reply) {
    cdr::Decoder& from = reply.decoder();
    exception_id_ = reply.exception_id();
    format_ = from.format();
    code_sets_ = *format_.code_sets;
    format_.code_sets = &code_sets_;
    if (format_.values == cdr::ValueForm::learned) format_.values = cdr::ValueForm::noticed;
    format_.memory = nullptr;
    index_ = from.position();
    lead_in_ = index_ % 8;  // keeps the alignment
    octets_.resize(lead_in_ + from.remaining());
    from.get_octets(MutableBytes(octets_).subspan(lead_in_));
    if (!from.ok()) fail(CORBA::MARSHAL(0, CORBA::COMPLETED_YES, "the reply cannot be read"));
  }

  bool fits(const CORBA::object_reference<Messaging::ReplyHandler>& handler) const override {
    return dynamic_cast<const Handler*>(handler.get()) != nullptr;
  }
  void give_to(const CORBA::object_reference<Messaging::ReplyHandler>& handler) override {
    dynamic_cast<const Handler&>(*handler).give(reply());
  }

  async::Reply::Kind kind_ = async::Reply::Kind::failure;
  std::exception_ptr failure_;
  std::string exception_id_;
  std::vector<std::uint8_t> octets_;
  std::size_t lead_in_ = 0, index_ = 0;
  cdr::CodeSets code_sets_;
  cdr::Format format_;
  std::optional<cdr::Decoder> decoder_;
  std::optional<async::Reply> reply_;
};

void complete(void* sink, async::Reply& reply) {
  (*static_cast<std::shared_ptr<KeptReply>*>(sink))->keep(reply);
}
void destroy_sink(void* sink) noexcept { std::destroy_at(static_cast<std::shared_ptr<KeptReply>*>(sink)); }

}  // namespace

}  // namespace polled

class PolledCall {
 public:
  PolledCall(const CORBA::Object& target, const polled::OperationType& type)
      : operation(type.operation),
        reply(std::make_shared<polled::KeptReply>(target, type.operation)),
        poller(CORBA::make_reference<async::PollerOfCall>(reply)) {}
  explicit PolledCall(CORBA::valuetype_reference<CORBA::Pollable> replies) : poller(std::move(replies)) {}

  const std::string operation;
  const std::shared_ptr<polled::KeptReply> reply;  // null for replies of dynamic requests
  const CORBA::valuetype_reference<CORBA::Pollable> poller;
};

class PolledCalls {
 public:
  explicit PolledCalls(CORBA::object_reference<CORBA::PollableSet> of) : set(std::move(of)) {}
  const CORBA::object_reference<CORBA::PollableSet> set;
};

namespace polled {

const void* make_type(const Operation& operation, Deliver deliver, Release release, Copy copy) {
  return new_type(operation, deliver, release, copy, &complete, &destroy_sink);
}

PolledCall* make_call(Reference* target, const void* type) {
  return translating(
      [&] { return new PolledCall(callable(target), *static_cast<const OperationType*>(type)); });
}
PolledCall* make_dynamic(PolledCalls& set) {
  return translating([&] { return new PolledCall(set.set->create_dii_pollable()); });
}
void free_call(PolledCall* call) { delete call; }
const void* key(const PolledCall& call) { return call.poller.get(); }

void begin_sending(void* memory, std::size_t size, Reference* target, const void* type, PolledCall& call) {
  if (size < sizeof(async::Sending)) std::terminate();  // a test makes a call
  CORBA::Object& object = callable(target);
  auto* const sending = translating(
      [&] { return new (memory) async::Sending(object, *static_cast<const OperationType*>(type)); });
  new (sending->sink()) std::shared_ptr<KeptReply>(call.reply);
  sending->keep_sink();
}

bool is_ready(PolledCall& call, std::uint32_t timeout) { return call.poller->is_ready(timeout); }
const char* operation(const PolledCall& call) { return call.operation.c_str(); }
DeliveredReply& take(PolledCall& call, const char* operation, std::uint32_t timeout) {
  return translating([&]() -> DeliveredReply& {
    if (call.operation != operation) call.reply->throw_other_operation();
    call.reply->take(timeout);
    return reinterpret_cast<DeliveredReply&>(call.reply->reply());
  });
}
void note_raised(PolledCall& call) { call.reply->note_raised(); }
bool is_from_poller(const PolledCall& call) {
  return translating([&] { return call.reply->is_from_poller(); });
}

void use_handler(PolledCall& call, const void* type, void* handler) {
  const auto& of = *static_cast<const OperationType*>(type);
  CORBA::object_reference<Messaging::ReplyHandler> kept;
  try {
    if (handler) kept = CORBA::make_reference<Handler>(of, handler);
  } catch (const std::bad_alloc&) {
    of.release(handler);
    throw;
  }
  translating([&] { call.reply->use_handler(call.reply, kept); });
}

PolledCalls* make_set() { return new PolledCalls(async::make_pollable_set()); }
void free_set(PolledCalls* set) { delete set; }
void add(PolledCalls& set, PolledCall& call) {
  translating([&] { set.set->add_pollable(call.poller); });
}
const void* take_ready(PolledCalls& set, std::uint32_t timeout) {
  return translating([&]() -> const void* {
    try {
      return set.set->get_ready_pollable(timeout).get();
    } catch (const CORBA::PollableSet::NoPossiblePollable&) {
      return nullptr;
    }
  });
}
bool remove(PolledCalls& set, PolledCall& call) {
  try {
    set.set->remove(call.poller);
    return true;
  } catch (const CORBA::PollableSet::UnknownPollable&) {
    return false;
  }
}
std::uint16_t number_left(PolledCalls& set) { return set.set->number_left(); }

}  // namespace polled

}  // namespace takt::classic
