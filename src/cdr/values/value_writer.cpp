// Writing values (CORBA 3.0.3, 15.3.4).
#include <takt/cdr/value.h>

#include "cdr/values/value_state.h"

namespace takt::cdr {

class ValueWriter {
 public:
  explicit ValueWriter(Encoder& encoder)
      : encoder_(encoder), buffer_(encoder.buffer()), state_(state(encoder)) {}

  void collect(ValueTable& table) { state_.table = &table; }
  void collect(AnyTable& table) { state_.anys = &table; }

  static void note(Encoder& encoder, Environment* environment) {
    if (encoder.values_ && encoder.values_->table) encoder.values_->environment = environment;
  }
  static Environment* noted(const Encoder& encoder) {
    return encoder.values_ ? encoder.values_->environment : nullptr;
  }
  static AnyTable* anys(const Encoder& encoder) { return encoder.values_ ? encoder.values_->anys : nullptr; }

  static void end_base(Encoder& encoder) {
    if (encoder.values_ && encoder.values_->classes.tagged) ValueWriter(encoder).begin_class();
  }

  void write(std::shared_ptr<CORBA::ValueBase> value) {
    if (state_.table) return write_index(std::move(value));
    if (!value) return encoder_.put(value_tag::null);
    const void* identity = dynamic_cast<const void*>(value.get());
    if (const auto found = state_.positions.find(identity); found != state_.positions.end())
      return write_indirection(value_tag::indirection, found->second);
    if (++state_.depth > encoder_.format().limits->nesting ||
        (state_.depth > Nesting::unchecked_depth && stack_is_short()))
      encoder_.fail(Error::nesting);
    else if (encoder_.format().values == ValueForm::tao)
      write_for_tao(*value, identity, value);
    else
      write_whole(*value, identity, value);
    --state_.depth;
  }

 private:
  static ValueEncoding& state(Encoder& encoder) {
    if (!encoder.values_) encoder.values_ = new ValueEncoding;
    return *encoder.values_;
  }

  void write_index(std::shared_ptr<CORBA::ValueBase> value) {
    if (!value) return encoder_.put(std::uint32_t{0});
    state_.table->push_back(std::move(value));
    encoder_.put(static_cast<std::uint32_t>(state_.table->size()));
  }

  void write_whole(const CORBA::ValueBase& value, const void* identity,
                   std::shared_ptr<CORBA::ValueBase> alive) {
    const ValueDescription& type = value._value_type();
    const bool nested = state_.level > 0, chunked = nested || type.chunked();
    close_chunk();
    encoder_.align(4);
    state_.positions.emplace(identity, encoder_.position());
    state_.alive.push_back(std::move(alive));
    write_header(type, chunked);
    if (chunked) {
      ++state_.level;
      open_chunk();
    }
    write_state(value, type);
    if (!chunked) return;
    put_end_tag();
    --state_.level;
    if (nested) open_chunk();
  }

  // marshal() of a custom value may write what it destroys before it returns, so none of that is borrowed.
  void write_state(const CORBA::ValueBase& value, const ValueDescription& type) {
    const std::size_t before = encoder_.borrow_from_bytes_;
    if (type.custom) encoder_.set_borrowing(false);
    value._write_state(encoder_);
    encoder_.borrow_from(before);
  }

  // If the value's last member is a value, one tag ends both: omniORBpy aborts on two tags in sequence.
  void put_end_tag() {
    close_chunk();
    const std::uint32_t tag = 0 - state_.level;
    if (state_.after_end_tag != 0 && state_.after_end_tag == buffer_.owned_size()) {
      patch(state_.after_end_tag - 4, tag);
    } else {
      encoder_.put(tag);
      state_.after_end_tag = buffer_.owned_size();
    }
  }

  // TAO's form (see Chunks). The end tags say how many classes are still to come, so they are patched in.
  void write_for_tao(const CORBA::ValueBase& value, const void* identity,
                     std::shared_ptr<CORBA::ValueBase> alive) {
    const ValueDescription& type = value._value_type();
    const ValueEncoding::Chunk outer_chunk = state_.chunk;
    const ValueEncoding::Classes outer = state_.classes;
    encoder_.align(4);
    state_.positions.emplace(identity, encoder_.position());
    state_.alive.push_back(std::move(alive));
    write_header(type, type.chunked());
    state_.classes = {type.chunked(), 0, state_.tags.size()};
    if (type.chunked()) open_chunk();
    write_state(value, type);
    if (type.chunked()) {
      end_class(true);
      patch_tags();
    }
    state_.chunk = outer_chunk;
    state_.classes = outer;
  }

  void begin_class() {
    end_class(false);
    open_chunk();
  }

  // A tag ends the members of a class, if it has any, and one more a class that has a base.
  void end_class(bool last) {
    const std::uint32_t bases = state_.classes.ended++;
    const bool has_members = close_chunk();
    if (has_members && bases > 0) put_tag(bases - 1);
    if (has_members || bases > 0 || last) put_tag(bases);
  }

  void put_tag(std::uint32_t less) {
    encoder_.put(std::uint32_t{0});
    state_.tags.push_back({buffer_.owned_size() - 4, less});
  }

  void patch_tags() {
    for (std::size_t i = state_.classes.first_tag; i < state_.tags.size(); ++i)
      patch(state_.tags[i].at, 0 - (state_.classes.ended - state_.tags[i].less));
    state_.tags.resize(state_.classes.first_tag);
  }

  void write_header(const ValueDescription& type, bool chunked) {
    const bool list = type.ids.size() > 1;
    encoder_.put(value_tag::header | (chunked ? value_tag::chunked : 0) |
                 (list ? value_tag::id_list : value_tag::one_id));
    if (!list) return write_id(type.id());
    // A list that was written before is written again, because JacORB does not understand an indirection to
    // it.
    encoder_.put_count(type.ids.size());
    for (const std::string_view id : type.ids) write_id(id);
  }

  void write_id(std::string_view id) {
    encoder_.align(4);
    if (const auto found = state_.ids.find(id); found != state_.ids.end())
      return write_indirection(value_tag::indirection, found->second);
    state_.ids.emplace(id, encoder_.position());
    encoder_.put_raw_string(id);
  }

  void write_indirection(std::uint32_t tag, std::size_t target) {
    encoder_.put(tag);
    encoder_.put(static_cast<std::int32_t>(static_cast<std::int64_t>(target) -
                                           static_cast<std::int64_t>(encoder_.position())));
  }

  // A chunk's size is patched in when the chunk is closed. An empty chunk is removed.
  void open_chunk() {
    state_.chunk.open = true;
    state_.chunk.before = buffer_.owned_size();
    encoder_.align(4);
    state_.chunk.size_at = buffer_.owned_size();
    encoder_.put(std::uint32_t{0});
    state_.chunk.data = encoder_.position();
  }
  // Returns whether there was one with data.
  bool close_chunk() {
    ValueEncoding::Chunk& chunk = state_.chunk;
    if (!chunk.open) return false;
    chunk.open = false;
    const std::size_t size = encoder_.position() - chunk.data;
    if (size == 0) {
      buffer_.advance_to(buffer_.owned() + chunk.before);
      return false;
    }
    if (size >= value_tag::header) encoder_.fail(Error::too_long);
    patch(chunk.size_at, static_cast<std::uint32_t>(size));
    return true;
  }

  void patch(std::size_t at, std::uint32_t number) {
    if (encoder_.swaps()) number = detail::swapped(number);
    std::memcpy(buffer_.owned() + at, &number, 4);
  }

  Encoder& encoder_;
  GatherBuffer& buffer_;
  ValueEncoding& state_;
};

void write_value(Encoder& encoder, std::shared_ptr<CORBA::ValueBase> value) {
  ValueWriter(encoder).write(std::move(value));
}

void end_base_state(Encoder& encoder) { ValueWriter::end_base(encoder); }

void collect_values(Encoder& encoder, ValueTable& table) { ValueWriter(encoder).collect(table); }

void note_environment(Encoder& encoder, Environment* environment) { ValueWriter::note(encoder, environment); }

Environment* noted_environment(const Encoder& encoder) { return ValueWriter::noted(encoder); }

void collect_anys(Encoder& encoder, AnyTable& table) { ValueWriter(encoder).collect(table); }

AnyTable* collected_anys(const Encoder& encoder) { return ValueWriter::anys(encoder); }

}  // namespace takt::cdr
