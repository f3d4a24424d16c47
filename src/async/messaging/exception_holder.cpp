#include "async/messaging/exception_holder.h"

#include <new>
#include <optional>
#include <string>
#include <utility>

#include <takt/async/messaging.h>
#include <takt/cdr/mapping/exception_form.h>
#include <takt/cdr/mapping/typecode_makers.h>

namespace Messaging {

namespace {

using takt::cdr::ByteOrder;

constexpr bool native_is_little = takt::cdr::native_order == ByteOrder::little;

// A holder does not say its code sets. It has those of the connection, and UTF-16 if that has no wide one.
takt::cdr::CodeSets code_sets_in(const takt::cdr::Format& message) {
  takt::cdr::CodeSets code_sets = *message.code_sets;
  if (code_sets.wide == takt::cdr::CodeSetId::none) code_sets.wide = takt::cdr::CodeSetId::utf_16;
  return code_sets;
}

// The octets of the exception: its id, then its members, or its minor code and completion status.
class Encoding {
 public:
  explicit Encoding(const takt::cdr::Format& message) : code_sets_(code_sets_in(message)) {
    takt::cdr::Format format;
    format.code_sets = &code_sets_;
    format.long_double = message.long_double;
    format.environment = message.environment;
    encoder_.emplace(buffer_, format).set_borrowing(false);
  }
  void put(const CORBA::SystemException& exception) {
    is_system = true;
    encoder_->put_raw_string(exception._rep_id());
    encoder_->put(exception.minor());
    encoder_->put(static_cast<std::uint32_t>(exception.completed()));
  }
  void put(const CORBA::UserException& exception) {
    const auto* const form = exception._form();
    if (!form) return encoder_->fail(takt::cdr::Error::bad_value);
    encoder_->put_raw_string(exception._rep_id());
    form->write(*encoder_, exception);
  }
  takt::cdr::Error error() const { return encoder_->error(); }
  std::vector<std::uint8_t> octets() const {
    return {buffer_.owned(), buffer_.owned() + buffer_.owned_size()};
  }

  bool is_system = false;

 private:
  const takt::cdr::CodeSets code_sets_;
  takt::GatherBuffer buffer_{128};
  std::optional<takt::cdr::Encoder> encoder_;
};

}  // namespace

void obv::ExceptionHolder::raise_exception() {
  if (held_) std::rethrow_exception(held_);
  takt::cdr::Format format;
  format.order = little_endian_ ? ByteOrder::little : ByteOrder::big;
  format.code_sets = &code_sets_;
  format.long_double = long_double_;
  format.environment = environment_.get();
  takt::cdr::Decoder from(octets_, 0, format);
  const std::string id(from.get_raw_string_view());
  if (from.ok() && is_system_) {
    const std::uint32_t minor = from.get_u32(), completed = from.get_u32();
    if (from.ok() && completed <= CORBA::COMPLETED_MAYBE)
      takt::cdr::raise_system_exception(id, minor, static_cast<CORBA::CompletionStatus>(completed),
                                        "in an exception holder");
  } else if (from.ok()) {
    takt::async::KnownException::raise(id, from);
    if (from.ok())
      throw CORBA::UNKNOWN(
          CORBA::omg_minor(1), CORBA::COMPLETED_YES,
          "the holder has " + id + ", which no IDL of this program compiled with --ami declares");
  }
  throw CORBA::MARSHAL(0, CORBA::COMPLETED_YES, "the exception in a holder cannot be read");
}

void obv::ExceptionHolder::raise_exception_with_list(const std::vector<CORBA::typecode_reference>&) {
  raise_exception();
  std::unreachable();  // GCC 12 does not see that it never returns
}

const takt::cdr::ValueDescription& obv::ExceptionHolder::_value_type() const {
  return ::Messaging::ExceptionHolder::_value_description;
}

void obv::ExceptionHolder::_write_state(takt::cdr::Encoder& to) const {
  if (!held_) return takt::cdr::write_members(to, is_system_, little_endian_, octets_);
  Encoding encoding(to.format());
  try {
    std::rethrow_exception(held_);
  } catch (const CORBA::SystemException& exception) {
    encoding.put(exception);
  } catch (const CORBA::UserException& exception) {
    encoding.put(exception);
  } catch (...) {
    encoding.put(CORBA::UNKNOWN(0, CORBA::COMPLETED_MAYBE));
  }
  if (encoding.error() != takt::cdr::Error::none) return to.fail(encoding.error());
  takt::cdr::write_members(to, encoding.is_system, native_is_little, encoding.octets());
}

bool obv::ExceptionHolder::_read_state(takt::cdr::Decoder& from) {
  held_ = nullptr;
  code_sets_ = code_sets_in(from.format());
  long_double_ = from.format().long_double;
  if (from.format().environment) environment_ = from.format().environment->shared();
  return takt::cdr::read_members(from, is_system_, little_endian_, octets_);
}

const std::string& ExceptionHolder::_repository_id() {
  static const std::string id(_value_ids[0]);
  return id;
}

CORBA::typecode_reference ExceptionHolder::_type_code() {
  return takt::cdr::value_typecode<ExceptionHolder>(
      "IDL:omg.org/Messaging/ExceptionHolder:1.0", "ExceptionHolder", CORBA::VM_NONE, nullptr, [] {
        return std::vector<takt::cdr::ValueMember>{
            {"is_system_exception", IDL::type_code<bool>(), CORBA::PRIVATE_MEMBER},
            {"byte_order", IDL::type_code<bool>(), CORBA::PRIVATE_MEMBER},
            {"marshaled_exception", takt::cdr::sequence_typecode(IDL::type_code<std::uint8_t>(), 0),
             CORBA::PRIVATE_MEMBER}};
      });
}

}  // namespace Messaging

namespace takt::async {

namespace {

using HolderRef = Messaging::ExceptionHolder::_ref_type;

const HolderRef& last_holder() {
  static const HolderRef& holder = *new HolderRef(
      CORBA::make_reference<Messaging::obv::ExceptionHolder>(std::make_exception_ptr(CORBA::NO_MEMORY(
          0, CORBA::COMPLETED_MAYBE, "the process has no memory left for the call's exception"))));
  return holder;
}

}  // namespace

void prepare_last_holder() { last_holder(); }

HolderRef hold_exception(const std::exception_ptr& why) {
  try {
    return CORBA::make_reference<Messaging::obv::ExceptionHolder>(
        why ? why : std::make_exception_ptr(CORBA::INTERNAL(0, CORBA::COMPLETED_MAYBE)));
  } catch (const std::bad_alloc&) {
    return last_holder();
  }
}

}  // namespace takt::async
