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

// Rewrites the references that a decoder reads.
class RewritingEnvironment final : public cdr::Environment {
 public:
  RewritingEnvironment(ReferenceRewriter& rewriter, Side to) : rewriter_(rewriter), to_(to) {}

  void reference_copied(cdr::Ior& reference) override { rewriter_.pass(reference, to_); }
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
  bool lacks_value_ = false;
};

// Memory is taken in steps of this size, not of the size that a header announces.
constexpr std::size_t step_bytes = 256 * 1024;

// A view of the rest of the message, copied into `storage` if it is still arriving.
ByteView whole(cdr::Decoder& body, std::vector<std::uint8_t>& storage, CORBA::CompletionStatus completed) {
  if (body.all_present()) return body.get_octets_view(body.remaining());
  storage.clear();
  while (body.ok() && body.remaining() != 0) {
    const std::size_t have = storage.size();
    storage.resize(have + std::min(body.remaining(), step_bytes));
    body.get_octets(MutableBytes(storage).subspan(have));
  }
  if (!body.ok()) throw CORBA::MARSHAL(0, completed, "a message that is passed on ended before its end");
  return storage;
}

}  // namespace

RelayedBody::RelayedBody(ReferenceRewriter* rewriter, Side target, std::string_view interface_id,
                         std::string_view operation)
    : rewriter_(rewriter && !rewriter->operations().empty() ? rewriter : nullptr),
      target_(target),
      operation_(operation) {
  if (rewriter_) known_ = rewriter_->operations().find(interface_id, operation);
}

RelayedBody::Body RelayedBody::arguments(cdr::Decoder& body) {
  const Types types = known_ ? Types(known_->types.arguments) : Types();
  return passed(body, known_ ? &types : nullptr, !known_ || known_->arguments_refer, target_,
                CORBA::COMPLETED_NO);
}

RelayedBody::Body RelayedBody::results(cdr::Decoder& body, giop::ReplyStatus status) {
  Types types = known_ ? Types(known_->types.results) : Types();
  bool known = known_ != nullptr;
  if (status == giop::ReplyStatus::user_exception) {
    if (known && !body.all_present() && body.indices_hold(body.remaining())) {
      // It is still arriving, and its exception id must be read before the rest is passed on.
      const std::size_t index = body.position();
      cdr::Decoder arrived(whole(body, storage_, CORBA::COMPLETED_MAYBE), index, body.format());
      return results(arrived, status);
    }
    cdr::Decoder ahead(body);
    const auto* const type = known ? known_->exception(ahead.get_raw_string_view()) : nullptr;
    known = type != nullptr;
    types = known ? Types(type, 1) : Types();
  } else if (status != giop::ReplyStatus::no_exception) {
    return passed(body, nullptr, false, other(target_), CORBA::COMPLETED_MAYBE);
  }
  return passed(body, known ? &types : nullptr, !known_ || known_->results_refer, other(target_),
                CORBA::COMPLETED_MAYBE);
}

// `types` is null for an unknown operation.
RelayedBody::Body RelayedBody::passed(cdr::Decoder& body, const Types* types, bool refer, Side to,
                                      CORBA::CompletionStatus completed) {
  const std::size_t index = body.position();
  if (!body.indices_hold(body.remaining())) {
    if (types && rewritten(body, *types, to)) return rewritten_body();
    throw CORBA::MARSHAL(0, completed,
                         "a message in fragments of GIOP 1.1 cannot be passed on without being decoded: give "
                         "the bridge the IDL of " +
                             std::string(operation_) +
                             ", or let the sender use GIOP 1.2 or longer fragments");
  }
  const ByteView octets = whole(body, storage_, completed);
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
  RewritingEnvironment references(*rewriter_, to);
  cdr::Environment* const usual = body.format().environment;
  body.set_environment(&references);
  const bool whole = rewritten(body, types);
  body.set_environment(usual);
  return whole && !references.lacks_value();
}

bool RelayedBody::rewritten(cdr::Decoder& body, Types types) {
  constexpr std::size_t longer_bytes = 1024;  // room for a few rewritten references
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
