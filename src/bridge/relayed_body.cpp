#include "bridge/relayed_body.h"

#include <algorithm>
#include <memory>

#include <takt/cdr/encoder.h>
#include <takt/cdr/environment.h>

#include "cdr/text/transcoder.h"
#include "cdr/values/opaque_value.h"

namespace takt::bridge {

namespace {

class OpaqueFactory final : public CORBA::ValueFactoryBase {
 public:
  explicit OpaqueFactory(CORBA::typecode_reference type) : type_(std::move(type)) {}
  CORBA::valuetype_reference<CORBA::ValueBase> create_for_unmarshal() override {
    return CORBA::valuetype_reference<CORBA::ValueBase>(std::make_shared<cdr::OpaqueValue>(type_));
  }

 private:
  const CORBA::typecode_reference type_;
};

std::size_t bytes_of(const cdr::Ior& reference) {
  std::size_t bytes = reference.type_id.size();
  for (const cdr::TaggedProfile& profile : reference.profiles) bytes += sizeof profile + profile.data.size();
  return bytes;
}

// Rewrites the references that a decoder reads. The longer ones count against the message's memory, because
// they are written to a buffer that grows.
class RewritingEnvironment final : public cdr::Environment {
 public:
  RewritingEnvironment(ReferenceRewriter& rewriter, Side to, const RelayedBody::Memory& memory)
      : rewriter_(rewriter), to_(to), memory_(memory) {}

  void reference_copied(cdr::Ior& reference) override {
    const std::size_t before = bytes_of(reference);
    rewriter_.pass(reference, to_);
    const std::size_t after = bytes_of(reference);
    if (after > before) memory_.charge(2 * (after - before));  // the buffer doubles
  }
  std::shared_ptr<CORBA::Object> object_from_ior(cdr::Ior&&) override { return nullptr; }
  std::shared_ptr<CORBA::ValueFactoryBase> value_factory(std::string_view repository_id) override {
    const auto* const type = rewriter_.operations().value(repository_id);
    const auto modifier = type ? (*type)->_parts().modifier : CORBA::VM_CUSTOM;
    lacks_value_ |= modifier == CORBA::VM_CUSTOM || modifier == CORBA::VM_ABSTRACT;
    return lacks_value_ ? nullptr : std::make_shared<OpaqueFactory>(*type);
  }
  // A value had an unknown type, so it may have been truncated to a known one.
  bool lacks_value() const { return lacks_value_; }

 private:
  ReferenceRewriter& rewriter_;
  const Side to_;
  const RelayedBody::Memory& memory_;
  bool lacks_value_ = false;
};

// Memory is taken in steps of this size, not of the size that a header announces.
constexpr std::size_t step_bytes = 256 * 1024;

}  // namespace

RelayedBody::RelayedBody(ReferenceRewriter* rewriter, Side target, std::string_view interface_id,
                         std::string_view operation)
    : rewriter_(rewriter && !rewriter->operations().empty() ? rewriter : nullptr),
      target_(target),
      operation_(operation) {
  if (rewriter_) known_ = rewriter_->operations().find(interface_id, operation);
}

void RelayedBody::Memory::charge(std::size_t bytes) const {
  if (!message->charge(bytes)) refuse();
}

void RelayedBody::Memory::refuse() const {
  throw CORBA::NO_MEMORY(0, completed, "a message that is passed on needs more memory than is allowed");
}

// A view of the rest of the message, copied into storage_ if it is still arriving.
ByteView RelayedBody::whole(cdr::Decoder& body) {
  if (body.all_present()) return body.get_octets_view(body.remaining());
  storage_.clear();
  std::size_t charged = 0;
  while (body.ok() && body.remaining() != 0) {
    const std::size_t have = storage_.size(), step = std::min(body.remaining(), step_bytes);
    if (storage_.capacity() < have + step) {
      // Both blocks are charged while one is copied to the other.
      const std::size_t capacity = std::min(have + body.remaining(), std::max(have + step, 2 * have));
      memory_.charge(capacity);
      storage_.reserve(capacity);
      memory_.message->costs().uncharge(std::exchange(charged, capacity));
    }
    storage_.resize(have + step);
    body.get_octets(MutableBytes(storage_).subspan(have));
  }
  if (!body.ok())
    throw CORBA::MARSHAL(0, memory_.completed, "a message that is passed on ended before its end");
  return storage_;
}

RelayedBody::Body RelayedBody::arguments(cdr::Decoder& body) {
  memory_ = {&body, CORBA::COMPLETED_NO};
  const Types types = known_ ? Types(known_->types.arguments) : Types();
  return passed(body, known_ ? &types : nullptr, !known_ || known_->arguments_refer, target_);
}

RelayedBody::Body RelayedBody::results(cdr::Decoder& body, giop::ReplyStatus status) {
  memory_ = {&body, CORBA::COMPLETED_MAYBE};
  return passed_results(body, status);
}

RelayedBody::Body RelayedBody::passed_results(cdr::Decoder& body, giop::ReplyStatus status) {
  Types types = known_ ? Types(known_->types.results) : Types();
  bool known = known_ != nullptr;
  if (status == giop::ReplyStatus::user_exception) {
    if (known && !body.all_present() && body.indices_hold(body.remaining())) {
      // It is still arriving, and its exception id must be read before the rest is passed on.
      const std::size_t index = body.position();
      cdr::Decoder arrived(whole(body), index, body.format());
      return passed_results(arrived, status);
    }
    cdr::Decoder ahead(body);
    const auto* const type = known ? known_->exception(ahead.get_raw_string_view()) : nullptr;
    known = type != nullptr;
    types = known ? Types(type, 1) : Types();
  } else if (status != giop::ReplyStatus::no_exception) {
    return passed(body, nullptr, false, other(target_));
  }
  return passed(body, known ? &types : nullptr, !known_ || known_->results_refer, other(target_));
}

// `types` is null for an unknown operation.
RelayedBody::Body RelayedBody::passed(cdr::Decoder& body, const Types* types, bool refer, Side to) {
  const std::size_t index = body.position();
  if (!body.indices_hold(body.remaining())) {
    if (types && rewritten(body, *types, to)) return rewritten_body();
    throw CORBA::MARSHAL(0, memory_.completed,
                         "a message in fragments of GIOP 1.1 cannot be passed on without being decoded: give "
                         "the bridge the IDL of " +
                             std::string(operation_) +
                             ", or let the sender use GIOP 1.2 or longer fragments");
  }
  const ByteView octets = whole(body);
  if (!refer || !rewriter_ || octets.empty()) return {octets, index};
  if (!types) {
    rewriter_->count_unread(operation_, "no IDL that the bridge was given says what it is");
    return {octets, index};
  }
  cdr::Decoder decoder(octets, index, body.format());
  if (rewritten(decoder, *types, to)) return rewritten_body();
  rewriter_->count_unread(operation_, "they are not as the bridge's IDL says, or hold values that it lacks");
  return {octets, index};
}

bool RelayedBody::rewritten(cdr::Decoder& body, Types types, Side to) {
  RewritingEnvironment references(*rewriter_, to, memory_);
  cdr::Environment* const usual = body.format().environment;
  body.set_environment(&references);
  const bool whole = rewritten(body, types);
  body.set_environment(usual);
  // Passing it on unchanged would show addresses of one side to the other.
  if (body.error() == cdr::Error::no_memory) memory_.refuse();
  return whole && !references.lacks_value();
}

bool RelayedBody::rewritten(cdr::Decoder& body, Types types) {
  constexpr std::size_t longer_bytes = 1024;  // room for a few rewritten references
  memory_.charge(body.remaining() + longer_bytes);
  rewritten_.emplace((body.all_present() ? body.remaining() : std::min(body.remaining(), step_bytes)) +
                     longer_bytes);
  cdr::Format format = body.format();
  format.environment = nullptr;
  cdr::Encoder encoder(*rewritten_, format);
  encoder.set_borrowing(false);
  cdr::Transcoder transcoder(body, encoder);
  for (const CORBA::typecode_reference& type : types)
    if (!transcoder.copy(type)) return false;
  return body.remaining() == 0;
}

}  // namespace takt::bridge
