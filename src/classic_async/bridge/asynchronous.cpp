// Asynchronous calls of the classic mapping by the runtime's Sending.
#include <takt/classic/call.h>

#include <new>
#include <optional>
#include <utility>

#include <takt/async/messaging.h>
#include <takt/async/reply.h>
#include <takt/async/sending.h>
#include <takt/cdr/mapping.h>

#include "classic/bridge/runtime.h"
#include "classic_async/bridge/asynchronous_bridge.h"
#include "classic_async/bridge/asynchronous_calls.h"
#include "classic_async/bridge/operation_type.h"

namespace takt::classic {

namespace asynchronous {

namespace {

struct Sink {
  const OperationType* type;
  void* handler;  // owned; null: the outcome is dropped
};

void complete(void* sink, async::Reply& reply) {
  const Sink& to = *static_cast<Sink*>(sink);
  if (to.handler) to.type->deliver(to.handler, reinterpret_cast<DeliveredReply&>(reply));
}
void destroy_sink(void* sink) noexcept {
  const Sink& of = *static_cast<Sink*>(sink);
  if (of.handler) of.type->release(of.handler);
}

async::Sending& sending_in(void* memory) { return *std::launder(static_cast<async::Sending*>(memory)); }
const async::Reply& reply_behind(const DeliveredReply& reply) {
  return reinterpret_cast<const async::Reply&>(reply);
}

}  // namespace

const void* make_type(const Operation& operation, Deliver deliver, Release release, Copy copy) {
  return new_type(operation, deliver, release, copy, &complete, &destroy_sink);
}

void begin_sending(void* memory, std::size_t size, Reference* target, const void* type, void* handler) {
  const auto& of = *static_cast<const OperationType*>(type);
  try {
    if (size < sizeof(async::Sending)) std::terminate();  // a test makes a call
    CORBA::Object& object = callable(target);
    auto* const sending = translating([&] { return new (memory) async::Sending(object, of); });
    new (sending->sink()) Sink{&of, handler};
    sending->keep_sink();
  } catch (...) {
    if (handler) of.release(handler);
    throw;
  }
}
void end_sending(void* memory) { sending_in(memory).~Sending(); }
Writer& begin_arguments(void* memory) {
  return writer(translating([&]() -> cdr::Encoder& { return sending_in(memory).begin(); }));
}
bool send(void* memory) {
  return translating([&] { return sending_in(memory).send() == async::Sending::Outcome::sent; });
}

bool is_user_exception(const DeliveredReply& reply) {
  return translating([&] {
    const async::Reply& of = reply_behind(reply);
    if (of.failure()) std::rethrow_exception(of.failure());
    return of.kind() == async::Reply::Kind::user_exception;
  });
}
bool raised(const DeliveredReply& reply, const char* repository_id) {
  return reply_behind(reply).exception_id() == repository_id;
}
void throw_unlisted(const DeliveredReply& reply) {
  translating([&] { reply_behind(reply).throw_unlisted_exception(); });
}
Reader& results(const DeliveredReply& reply) { return reader(reply_behind(reply).decoder()); }
void finish(const DeliveredReply& reply) {
  translating([&] { reply_behind(reply).finish(); });
}

namespace {

// The runtime asks for a function of an id, the mapping has one of a Reader. They are kept for ever.
struct Known {
  Known(const char* id, Raise raise)
      : known(id, reinterpret_cast<async::KnownException::Raise>(reinterpret_cast<void (*)()>(raise))) {}
  async::KnownException known;
};

}  // namespace

const void* know(const char* id, Raise raise) { return new Known(id, raise); }

}  // namespace asynchronous

class ArrivedException final : public Messaging::obv::ExceptionHolder {};

void write_holder(Writer& out, bool is_system, const char* id, void (*write)(Writer&, const void*),
                  const void* exception) {
  cdr::Encoder& to = encoder(out);
  cdr::CodeSets code_sets = *to.format().code_sets;
  if (code_sets.wide == cdr::CodeSetId::none) code_sets.wide = cdr::CodeSetId::utf_16;
  cdr::Format format;
  format.code_sets = &code_sets;
  format.long_double = to.format().long_double;
  format.environment = to.format().environment;
  GatherBuffer buffer{128};
  cdr::Encoder members(buffer, format);
  members.set_borrowing(false);
  members.put_raw_string(id);
  write(writer(members), exception);
  if (members.error() != cdr::Error::none) return to.fail(members.error());
  cdr::write_members(to, is_system, cdr::native_order == cdr::ByteOrder::little,
                     std::vector<std::uint8_t>(buffer.owned(), buffer.owned() + buffer.owned_size()));
}

ArrivedException* read_holder(Reader& in) {
  auto holder = std::make_unique<ArrivedException>();
  (void)holder->_read_state(decoder(in));
  return holder.release();
}
void free_holder(ArrivedException* holder) { delete holder; }
void write_again(Writer& out, const ArrivedException& holder) { holder._write_state(encoder(out)); }
void raise_arrived(ArrivedException& holder) {
  translating([&] { holder.raise_exception(); });
}

}  // namespace takt::classic
