// Reading values (CORBA 3.0.3, 15.3.4).
#include <takt/cdr/environment.h>
#include <takt/cdr/value.h>

#include "cdr/values/opaque_value.h"
#include "cdr/values/value_state.h"

namespace takt::cdr {

// Indirections count octets of the body. Use place() for them: position() restarts with each fragment.
class ValueReader {
 public:
  using Value = std::shared_ptr<CORBA::ValueBase>;
  explicit ValueReader(Decoder& decoder) : in_(decoder), state_(state(decoder)) {}

  void take_from(const ValueTable& table) { state_.table = &table; }
  void take_from(const AnyTable& table) { state_.anys = &table; }
  static const AnyTable* anys(const Decoder& decoder) {
    return decoder.values_ ? decoder.values_->anys : nullptr;
  }
  void belong_to(const std::weak_ptr<LaterValues>& message) { state_.message = message; }
  void note(const std::shared_ptr<AnyContent>& content) {
    if (!state_.later) state_.later = std::make_shared<LaterValues>();
    const auto whole = state_.message.lock();
    content->message = whole ? whole : state_.later;
    state_.contents.push_back(content);
  }

  Value read(const FormalValue& formal) {
    if (state_.table) return read_index();
    const Nesting deeper(in_);
    std::uint32_t tag;
    if (!get_tag(tag)) return nullptr;
    if (tag == value_tag::null) return nullptr;
    if (tag == value_tag::indirection) {
      const auto* const known = indirect(state_.values);
      if (!known) return nullptr;
      if (!known->whole) state_.cyclic = true;
      return known->value;
    }
    if (!state_.chunks.is_inside()) return read_whole(tag, formal);
    Chunks outer = state_.chunks;
    state_.chunks = outer.for_value_inside(in_);
    Value value = read_whole(tag, formal);
    state_.chunks = outer;
    outer.resume(in_);
    return value;
  }

 private:
  using Id = std::shared_ptr<const std::string>;
  using Ids = std::shared_ptr<const std::vector<Id>>;

  static ValueDecoding& state(Decoder& decoder) {
    if (!decoder.values_) {
      decoder.values_ = new ValueDecoding;
      decoder.values_->octets = decoder.remaining();
    }
    return *decoder.values_;
  }

  std::size_t place() const { return state_.octets - in_.remaining(); }
  std::size_t place_of_last_number() const { return place() - 4; }

  Value read_index() {
    const std::uint32_t index = in_.get_u32();
    if (index > state_.table->size()) in_.fail(Error::indirection);
    return in_.ok() && index ? (*state_.table)[index - 1] : nullptr;
  }

  // omniORB counts the padding before a tag to the chunk that ends there.
  void skip_padding() {
    const std::size_t left = in_.window_.readable();
    if (left != 0 && left == ((0 - in_.position()) & 3)) in_.skip(left);
  }

  // Null and indirections are data of a chunk. A header stands between chunks, but for TAO.
  bool get_tag(std::uint32_t& tag) {
    if (state_.chunks.level() > 0) skip_padding();
    if (state_.chunks.level() > 0 && in_.window_.readable() == 0 && !state_.chunks.enter_next(in_)) {
      if (state_.ended != 0) in_.fail(Error::bad_value);
      if (!in_.ok()) return false;
      tag = state_.chunks.leave(in_);
      if (!in_.ok()) return false;
      if (is_header(tag)) {
        state_.chunks.note_header_between(in_);
      } else {
        if (tag != value_tag::null) in_.fail(Error::bad_chunks);
        state_.chunks.begin(in_);
      }
      return in_.ok();
    }
    in_.get(tag);
    const bool data = tag == value_tag::null || tag == value_tag::indirection;
    if (in_.ok() && !data && !is_header(tag)) in_.fail(Error::bad_value);
    return in_.ok();
  }
  static bool is_header(std::uint32_t tag) {
    return tag >= value_tag::header && tag <= value_tag::last_header;
  }

  template <class T>
  const T* indirect(const ByPosition<T>& known) {
    const auto offset = in_.take<std::int32_t>();
    const std::size_t from = place_of_last_number();
    if (in_.costs().count_indirection() > in_.format().limits->indirections || offset >= 0 ||
        static_cast<std::size_t>(-static_cast<std::int64_t>(offset)) > from)
      in_.fail(Error::indirection);
    const T* const found =
        in_.ok() ? known.find(from - static_cast<std::size_t>(-static_cast<std::int64_t>(offset))) : nullptr;
    if (!found) in_.fail(Error::indirection);
    return found;
  }

  Id read_id() {
    const std::uint32_t length = in_.get_u32();
    const std::size_t position = place_of_last_number();
    if (length == value_tag::indirection) {
      const Id* const id = indirect(state_.ids);
      return id ? *id : nullptr;
    }
    const std::string_view text = in_.raw_string_of(length);
    if (!in_.charge(sizeof(Id) + sizeof(std::string) + text.size()) || !in_.ok()) return nullptr;
    auto id = std::make_shared<const std::string>(text);
    state_.ids.add(position, id);
    return id;
  }

  // Null if there are none, or the decoder failed. A list that is referred to again is not copied.
  Ids read_ids(std::uint32_t tag) {
    if (tag & value_tag::codebase) read_id();
    const std::uint32_t kind = tag & value_tag::type_mask;
    std::vector<Id> ids;
    if (kind == value_tag::one_id) {
      ids.push_back(read_id());
    } else if (kind == value_tag::id_list) {
      std::uint32_t count = in_.get_u32();
      const std::size_t position = place_of_last_number();
      if (count == value_tag::indirection) {
        const Ids* const list = indirect(state_.id_lists);
        return list ? *list : nullptr;
      }
      if (count == 0 || count > in_.remaining() / 5) in_.fail(Error::bad_value);
      for (; count > 0 && in_.ok(); --count) ids.push_back(read_id());
      auto list = std::make_shared<const std::vector<Id>>(std::move(ids));
      state_.id_lists.add(position, list);
      return list;
    } else if (kind != 0) {
      in_.fail(Error::bad_value);
    }
    return ids.empty() ? nullptr : std::make_shared<const std::vector<Id>>(std::move(ids));
  }

  // Makes the most derived type that it can. Returns null, with the decoder failed, if there is none.
  Value make(const Ids& ids, const FormalValue& formal, bool may_truncate) {
    if (!ids) return make(formal.id, formal);
    for (const Id& id : *ids) {
      if (Value value = make(*id, formal)) return value;
      if (!may_truncate || !in_.ok()) break;
    }
    return nullptr;
  }
  Value make(std::string_view id, const FormalValue& formal) {
    if (!in_.spend(4 + id.size() / 32)) return nullptr;
    if (Environment* const environment = in_.format().environment; environment && !id.empty())
      if (const auto factory = environment->value_factory(id))
        return factory->create_for_unmarshal().shared();
    if (id != formal.id) return nullptr;
    return formal.make ? formal.make() : formal.type ? make_opaque(*formal.type) : nullptr;
  }

  static Value make_opaque(const CORBA::TypeCode& type) {
    if (type._parts().modifier == CORBA::VM_CUSTOM || type._parts().modifier == CORBA::VM_ABSTRACT)
      return nullptr;
    return std::make_shared<OpaqueValue>(type._kept());
  }

  Value read_whole(std::uint32_t tag, const FormalValue& formal) {
    const std::size_t position = place_of_last_number();
    const bool chunked = tag & value_tag::chunked;
    if (!chunked && state_.chunks.level() > 0) in_.fail(Error::bad_chunks);
    const Ids ids = read_ids(tag);
    if (!count_value()) return nullptr;
    Value value = make(ids, formal, chunked);
    if (!value) {
      in_.fail(Error::no_factory);
      return nullptr;
    }
    const std::size_t place = state_.values.add(position, {value});
    if (chunked) state_.chunks.begin_value(in_);
    value->_read_state(in_);
    if (chunked) end_chunks();
    state_.values.at(place).whole = true;
    return in_.ok() ? value : nullptr;
  }

  // Counts one more value. Returns false if the decoder has failed.
  bool count_value() {
    constexpr std::size_t value_bytes = 256;  // estimate for a small class, with its bookkeeping
    constexpr std::size_t steps = 8;
    if (in_.costs().count_value() > in_.format().limits->values) in_.fail(Error::too_many_values);
    return in_.ok() && in_.spend(steps) && in_.charge(value_bytes);
  }

  // Skips the rest of the value, up to its end tag.
  void end_chunks() {
    while (in_.ok() && state_.ended == 0) {
      const std::uint32_t tag = state_.chunks.leave(in_);
      if (!in_.ok()) break;
      if (tag > value_tag::last_header) {
        state_.ended = 0 - tag;
        if (state_.ended > state_.chunks.level()) in_.fail(Error::bad_chunks);
      } else if (tag >= value_tag::header) {
        state_.chunks.note_header_between(in_);
        skip_nested(tag);
      } else {
        state_.chunks.enter(in_, tag);
      }
    }
    if (state_.ended == state_.chunks.level()) state_.ended = 0;
    state_.chunks.end_value(in_);
    if (state_.chunks.level() == 0) return;
    if (state_.ended != 0)
      state_.chunks.close(in_);
    else
      state_.chunks.begin(in_);
  }

  // A value inside a truncated one. A later indirection may refer to it, so it is made if possible.
  void skip_nested(std::uint32_t tag) {
    const Nesting deeper(in_);
    const std::size_t position = place_of_last_number();
    if (!(tag & value_tag::chunked)) in_.fail(Error::bad_chunks);
    const Ids ids = read_ids(tag);
    if (!count_value()) return;
    const Value value = ids ? make(ids, {}, true) : nullptr;
    state_.chunks.begin_value(in_);
    if (value) {
      const std::size_t place = state_.values.add(position, {value});
      value->_read_state(in_);
      state_.values.at(place).whole = true;
    }
    end_chunks();
  }

  Decoder& in_;
  ValueDecoding& state_;
};

std::shared_ptr<CORBA::ValueBase> read_value(Decoder& decoder, const FormalValue& formal) {
  return ValueReader(decoder).read(formal);
}

void take_values_from(Decoder& decoder, const ValueTable& table) { ValueReader(decoder).take_from(table); }

void take_anys_from(Decoder& decoder, const AnyTable& table) { ValueReader(decoder).take_from(table); }

const AnyTable* given_anys(const Decoder& decoder) { return ValueReader::anys(decoder); }

void join_message(Decoder& decoder, const AnyContent& content) {
  ValueReader(decoder).belong_to(content.message);
}

void note_content(Decoder& decoder, const std::shared_ptr<AnyContent>& content) {
  ValueReader(decoder).note(content);
}

}  // namespace takt::cdr
