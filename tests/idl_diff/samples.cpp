#include "samples.h"

#include <algorithm>
#include <type_traits>

#include <takt/base/gather_buffer.h>
#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>

namespace takt::idl::diff {

namespace {

using CORBA::TCKind;
using CORBA::TypeCode;

struct DoesNotFit {};

// Either direction: a writer makes up values, and a reader reads them.
class Stream {
 public:
  Stream(cdr::Encoder& encoder, std::uint32_t variant) : encoder_(&encoder), variant_(variant) {}
  explicit Stream(cdr::Decoder& decoder) : decoder_(&decoder) {}

  bool writes() const { return encoder_ != nullptr; }
  // A different number each time.
  std::uint32_t next() { return ++count_; }
  std::uint32_t variant() const { return variant_; }

  template <class T>
  T pass(T value) {
    if (writes())
      encoder_->put(value);
    else if (!decoder_->get(value))
      throw DoesNotFit{};
    return value;
  }
  std::string pass_string(std::string text) {
    if (writes())
      encoder_->put_string(text);
    else if (!decoder_->get_string(text))
      throw DoesNotFit{};
    return text;
  }
  std::wstring pass_wstring(std::wstring text) {
    if (writes())
      encoder_->put_wstring(text);
    else if (!decoder_->get_wstring(text))
      throw DoesNotFit{};
    return text;
  }

 private:
  cdr::Encoder* encoder_ = nullptr;
  cdr::Decoder* decoder_ = nullptr;
  std::uint32_t variant_ = 0, count_ = 0;
};

// Odd variants have numbers with the highest bit set, which distinguish signed from unsigned types.
template <class T>
Sample number(Stream& stream) {
  T value{};
  if (stream.writes()) {
    value = static_cast<T>(stream.next());
    if constexpr (std::is_integral_v<T>)
      if (stream.variant() % 2) value = static_cast<T>(~value);
  }
  value = stream.pass(value);
  const char* const kind = std::is_integral_v<T> ? "integer " : "floating-point ";
  return {.text = kind + std::to_string(value)};
}

class Walk {
 public:
  explicit Walk(Stream& stream) : stream_(stream) {}

  Sample value(const TypeCode& given) {
    const TypeCode& type = given._unaliased();
    switch (type.kind()) {
      case TCKind::tk_short:
        return number<std::int16_t>(stream_);
      case TCKind::tk_ushort:
        return number<std::uint16_t>(stream_);
      case TCKind::tk_long:
        return number<std::int32_t>(stream_);
      case TCKind::tk_ulong:
        return number<std::uint32_t>(stream_);
      case TCKind::tk_longlong:
        return number<std::int64_t>(stream_);
      case TCKind::tk_ulonglong:
        return number<std::uint64_t>(stream_);
      case TCKind::tk_octet:
        return number<std::uint8_t>(stream_);
      case TCKind::tk_float:
        return number<float>(stream_);
      case TCKind::tk_double:
        return number<double>(stream_);
      case TCKind::tk_longdouble:
        return number<long double>(stream_);
      case TCKind::tk_boolean:
        return {.text = stream_.pass(true) ? "boolean true" : "boolean false"};
      case TCKind::tk_char:
        return {.text = "character " + std::to_string(stream_.pass('c'))};
      case TCKind::tk_wchar:
        return {.text = "character " + std::to_string(static_cast<int>(stream_.pass(L'w')))};
      default:
        return constructed(type);
    }
  }

  Sample values(const Types& types) {
    Sample whole;
    for (const auto& type : types) whole.parts.push_back(value(*type));
    return whole;
  }

 private:
  Sample constructed(const TypeCode& type) {
    switch (type.kind()) {
      case TCKind::tk_string:
      case TCKind::tk_wstring:
        return text(type);
      case TCKind::tk_fixed:
        return fixed(type);
      case TCKind::tk_enum:
        return enumerator(type);
      case TCKind::tk_sequence:
        return sequence(type);
      case TCKind::tk_array:
        return elements(*type.content_type(), type.length());
      case TCKind::tk_struct:
      case TCKind::tk_except:
      case TCKind::tk_value:
        return members(type);
      case TCKind::tk_union:
        return chosen(type);
      case TCKind::tk_value_box:
        return value(*type.content_type());
      case TCKind::tk_objref:
        return reference();
      case TCKind::tk_abstract_interface:
        stream_.pass(true);
        return reference();
      default:
        throw DoesNotFit{};
    }
  }

  static void check_bound(std::uint32_t bound, std::size_t length) {
    if (bound != 0 && length > bound) throw DoesNotFit{};
  }

  Sample text(const TypeCode& type) {
    const std::uint32_t length = type.length() ? type.length() : 40;
    if (type.kind() == TCKind::tk_string) {
      const std::string text = stream_.pass_string(std::string(length, 's'));
      check_bound(type.length(), text.size());
      return {.text = "string " + text};
    }
    const std::wstring text = stream_.pass_wstring(std::wstring(length, L's'));
    check_bound(type.length(), text.size());
    return {.text = "wide string of " + std::to_string(text.size())};
  }

  // All digits are 1 to 9, packed in half octets, with the sign in the last.
  Sample fixed(const TypeCode& type) {
    const int digits = type.fixed_digits(), count = digits + 1 + (digits % 2 == 0);
    std::string halves;
    for (int i = 0; i < count; i += 2) {
      const auto digit = [&](int at) {
        return at == count - 1 ? 0xc : at + digits + 1 - count < 0 ? 0 : at % 9 + 1;
      };
      const auto octet = stream_.pass(static_cast<std::uint8_t>(digit(i) << 4 | digit(i + 1)));
      halves += {static_cast<char>(octet >> 4), static_cast<char>(octet & 15)};
    }
    if (halves.back() != 0xc) throw DoesNotFit{};
    std::string text;
    for (int i = 0; i + 1 < count; ++i) {
      if (i + digits + 1 - count < 0 && halves[static_cast<std::size_t>(i)] != 0) throw DoesNotFit{};
      text += static_cast<char>('0' + halves[static_cast<std::size_t>(i)]);
      if (count - 2 - i == type.fixed_scale()) text += '.';
    }
    return {.text = "fixed " + text.substr(text.find_first_not_of('0'))};
  }

  Sample enumerator(const TypeCode& type) {
    const auto& members = type._parts().members;
    const auto count = static_cast<std::uint32_t>(members.size());
    const auto ordinal = stream_.pass<std::uint32_t>(stream_.variant() % count);
    if (ordinal >= count) throw DoesNotFit{};
    Sample sample{.label = members[ordinal].name, .text = "enumerator " + std::to_string(ordinal)};
    for (const auto& member : members) sample.spelled.push_back(member.name);
    return sample;
  }

  Sample sequence(const TypeCode& type) {
    const auto count = stream_.pass<std::uint32_t>(type.length() ? type.length() : 12);
    check_bound(type.length(), count);
    Sample sample = elements(*type.content_type(), count);
    sample.parts.insert(sample.parts.begin(), {.text = "length " + std::to_string(count)});
    return sample;
  }

  Sample elements(const TypeCode& type, std::uint32_t count) {
    if (count > 1000) throw DoesNotFit{};
    Sample sample;
    for (std::uint32_t i = 0; i < count; ++i) sample.parts.push_back(value(type));
    return sample;
  }

  Sample members(const TypeCode& type) {
    Sample sample;
    if (type.kind() == TCKind::tk_value && type._parts().content)
      sample.parts = members(*type._parts().content).parts;
    for (const auto& member : type._parts().members) {
      sample.parts.push_back(value(*member.type));
      if (sample.parts.back().label.empty()) sample.parts.back().label = member.name;
    }
    return sample;
  }

  // One of the variants selects a value without a label.
  Sample chosen(const TypeCode& type) {
    const auto& members = type._parts().members;
    const std::size_t at = stream_.variant() % (members.size() + 1);
    const auto label =
        stream_.pass<std::int32_t>(at < members.size() ? static_cast<std::int32_t>(members[at].label) : 1000);
    Sample sample;
    sample.parts.push_back({.text = "label " + std::to_string(label)});
    if (const auto* member = type._member_with_label(label)) {
      sample.parts.push_back(value(*member->type));
      sample.parts.back().label = member->name;
    }
    return sample;
  }

  // A reference with one profile whose data is a number.
  Sample reference() {
    const std::string id = stream_.pass_string("IDL:Referenced:1.0");
    const auto profiles = stream_.pass<std::uint32_t>(1), tag = stream_.pass<std::uint32_t>(0),
               length = stream_.pass<std::uint32_t>(4);
    if (profiles != 1 || tag != 0 || length != 4) throw DoesNotFit{};
    return {.text = "reference " + id + " " + number<std::uint32_t>(stream_).text};
  }

  Stream& stream_;
};

void flatten(const Sample& sample, std::vector<const Sample*>& leaves) {
  if (!sample.text.empty()) leaves.push_back(&sample);
  for (const Sample& part : sample.parts) flatten(part, leaves);
}

// Whether the receiver mistakes one member for another of its own.
bool is_misplaced(const Sample& sent, const Sample& received) {
  if (sent.parts.size() != received.parts.size()) return false;
  for (std::size_t i = 0; i < sent.parts.size(); ++i) {
    const std::string& name = sent.parts[i].label;
    const bool elsewhere = !name.empty() && name != received.parts[i].label &&
                           std::ranges::find(received.parts, name, &Sample::label) != received.parts.end();
    if (elsewhere || is_misplaced(sent.parts[i], received.parts[i])) return true;
  }
  return false;
}

bool is_other_enumerator(const Sample& sent, const Sample& received) {
  return !received.spelled.empty() && sent.label != received.label &&
         std::ranges::find(received.spelled, sent.label) != received.spelled.end();
}

}  // namespace

Written write_samples(const Types& types, std::uint32_t variant) {
  GatherBuffer buffer(1024);
  cdr::Encoder encoder(buffer);
  encoder.set_borrowing(false);
  Stream stream(encoder, variant);
  Sample sample = Walk(stream).values(types);
  return {{buffer.owned(), buffer.owned() + buffer.owned_size()}, std::move(sample)};
}

std::optional<Sample> read_samples(const Types& types, const std::vector<std::uint8_t>& octets) {
  cdr::Decoder decoder(ByteView(octets.data(), octets.size()));
  Stream stream(decoder);
  try {
    Sample sample = Walk(stream).values(types);
    if (!decoder.ok() || decoder.remaining() != 0) return std::nullopt;
    return sample;
  } catch (const DoesNotFit&) {
    return std::nullopt;
  }
}

bool means_the_same(const Sample& sent, const Sample& received) {
  std::vector<const Sample*> before, after;
  flatten(sent, before);
  flatten(received, after);
  if (before.size() != after.size() || is_misplaced(sent, received)) return false;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i]->text != after[i]->text || is_other_enumerator(*before[i], *after[i])) return false;
  return true;
}

}  // namespace takt::idl::diff
