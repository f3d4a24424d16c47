// Values as text: M::S{a=1,b="x"}, <sequence,elements>, [array,elements], {{key,value}}.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <takt/cdr/mapping/description.h>
#include <takt/cdr/mapping/value_text.h>

namespace IDL {

// Writes a T to an Out: Out& operator()(Out& out, const T& value). A specialization for a type changes the
// layout wherever that type occurs. Out is std::ostream for every stream that derives from it. A
// specialization may also have a function write() with these parameters instead.
template <class T, class Out>
struct formatter;

namespace detail {

template <class Out>
struct StreamOf {
  using type = Out;
};
template <class Out>
  requires std::is_convertible_v<Out*, std::ostream*>
struct StreamOf<Out> {
  using type = std::ostream;
};

template <class Formatter, class Out, class T>
void apply(Formatter formatter, Out& out, const T& value) {
  if constexpr (requires { formatter(out, value); })
    formatter(out, value);
  else
    formatter.write(out, value);
}

}  // namespace detail

template <class Out, class T>
Out& write(Out& out, const T& value) {
  using Stream = typename detail::StreamOf<Out>::type;
  detail::apply(formatter<T, Stream>(), static_cast<Stream&>(out), value);
  return out;
}

// The result of IDL::traits<T>::write(), which prints the value when streamed. Must not outlive the value.
template <class T, class Formatter = void>
struct Written {
  const T& value;

  template <class Out>
  friend Out& operator<<(Out& out, const Written& written) {
    if constexpr (std::is_void_v<Formatter>)
      return IDL::write(out, written.value);
    else {
      detail::apply(Formatter(), out, written.value);
      return out;
    }
  }
};

namespace detail {

template <class Out, class Elements>
void write_elements(Out& out, const Elements& elements) {
  bool first = true;
  for (const auto& element : elements) {
    if (!first) out << ',';
    first = false;
    IDL::write(out, static_cast<const typename Elements::value_type&>(element));
  }
}

template <class T, class Out>
void write_members(Out& out, const T& value) {
  constexpr auto& description = T::_description;
  out << '{';
  T::_fields(value, [&](const auto&... field) {
    // Base classes come first and have no name.
    std::size_t nameless = sizeof...(field) - description.members.size();
    std::size_t index = 0;
    const auto write_field = [&](const auto& one) {
      if (index != 0) out << ',';
      if (index >= nameless) out << description.members[index - nameless] << '=';
      ++index;
      IDL::write(out, one);
    };
    (write_field(field), ...);
    (void)write_field;
    (void)nameless;
    (void)index;
  });
  out << '}';
}

template <class T, class Out>
void write_struct(Out& out, const T& value) {
  out << T::_description.scoped;
  write_members(out, value);
}

template <class C, class Out>
void write_quoted(Out& out, C quote, const C* text, std::size_t length) {
  if constexpr (std::is_same_v<C, char>) {
    out << quote;
    for (std::size_t i = 0; i < length; ++i) out << text[i];
    out << quote;
  } else {
    out << 'L' << static_cast<char>(quote);
    for (std::size_t i = 0; i < length; ++i) {
      const auto code = static_cast<std::uint32_t>(text[i]);
      constexpr char digits[] = "0123456789abcdef";
      if (code < 0x80)
        out << static_cast<char>(code);
      else if (out << (code > 0xffff ? "\\U" : "\\u"); true)
        for (int shift = code > 0xffff ? 28 : 12; shift >= 0; shift -= 4) out << digits[code >> shift & 15];
    }
    out << static_cast<char>(quote);
  }
}

}  // namespace detail

template <class T, class Out>
struct formatter {
  Out& operator()(Out& out, const T& value) const {
    if constexpr (std::is_same_v<T, bool>) {
      out << (value ? "true" : "false");
    } else if constexpr (std::is_same_v<T, char> || std::is_same_v<T, wchar_t>) {
      detail::write_quoted(out, T{'\''}, &value, 1);
    } else if constexpr (std::is_arithmetic_v<T>) {
      out << +value;
    } else if constexpr (takt::cdr::DescribedEnum<T>) {
      const auto name = takt::cdr::enumerator_name(value);
      if (name.empty())
        out << static_cast<std::uint64_t>(value);
      else
        out << name.scope << "::" << name.enumerator;
    } else if constexpr (takt::cdr::DescribedStruct<T>) {
      detail::write_struct(out, value);
    } else if constexpr (requires { value._write_to(out); }) {
      value._write_to(out);
    } else if constexpr (std::is_same_v<Out, takt::cdr::ValueText> && !requires { out << value; }) {
      out << "...";
    } else {
      out << value;
    }
    return out;
  }
};

template <class C, class A, class Out>
struct formatter<std::basic_string<C, std::char_traits<C>, A>, Out> {
  Out& operator()(Out& out, const std::basic_string<C, std::char_traits<C>, A>& value) const {
    detail::write_quoted(out, C{'"'}, value.data(), value.size());
    return out;
  }
};
template <class T, class A, class Out>
struct formatter<std::vector<T, A>, Out> {
  Out& operator()(Out& out, const std::vector<T, A>& value) const {
    out << '<';
    detail::write_elements(out, value);
    out << '>';
    return out;
  }
};
template <class T, std::size_t N, class Out>
struct formatter<std::array<T, N>, Out> {
  Out& operator()(Out& out, const std::array<T, N>& value) const {
    out << '[';
    detail::write_elements(out, value);
    out << ']';
    return out;
  }
};
template <class K, class V, class C, class A, class Out>
struct formatter<std::map<K, V, C, A>, Out> {
  Out& operator()(Out& out, const std::map<K, V, C, A>& value) const {
    out << '{';
    bool first = true;
    for (const auto& [key, element] : value) {
      out << (first ? "{" : ",{");
      first = false;
      IDL::write(out, key);
      out << ',';
      IDL::write(out, element);
      out << '}';
    }
    out << '}';
    return out;
  }
};
template <class T, class Out>
struct formatter<std::optional<T>, Out> {
  Out& operator()(Out& out, const std::optional<T>& value) const {
    if (value)
      IDL::write(out, *value);
    else
      out << "none";
    return out;
  }
};

}  // namespace IDL

namespace takt::cdr {

// The text of a user exception's what().
template <class Exception>
std::string text_of_exception(const Exception& exception) {
  ValueText out;
  out << Exception::_description.id;
  IDL::detail::write_members(out, exception);
  return std::move(out).take();
}

}  // namespace takt::cdr
