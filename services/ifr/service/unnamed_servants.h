// The servants of types without a name.
#pragma once

#include <string>

#include "ifr/service/parts.h"

namespace takt::ifr {

inline void require_bound(std::uint32_t bound) {
  if (bound == 0) throw_bad_param(0, "bound 0: get_primitive() has strings without a bound");
}
inline void require_length(std::uint32_t length) {
  if (length == 0) throw_bad_param(0, "an array has at least one element");
}
inline std::string required_fixed(std::uint16_t digits, std::int16_t scale) {
  std::string text = fixed_text(digits, scale);
  if (!is_type_text(text, 0))
    throw_bad_param(0, "a fixed-point type has 1 to 31 digits, and a scale up to that");
  return text;
}

template <class Base>
class UnnamedPart : public TypePart<Base> {
 public:
  using TypePart<Base>::TypePart;

 protected:
  // f(type), with the object's own type.
  template <class F>
  auto own(F&& f) {
    return this->core_.read([&](const Self& self) { return f(*parse_type(self.type)); });
  }
  // Sets an attribute: f(type) is the text of the changed type.
  template <class F>
  void set_own(F&& f) {
    this->core_.change([&](const Self& self) { set_unnamed(this->core_, self, f(*parse_type(self.type))); });
  }
};

class PrimitiveServant final : public UnnamedPart<Skeleton<R::PrimitiveDef>> {
 public:
  using UnnamedPart::UnnamedPart;
  R::PrimitiveKind kind() override {
    return own([](const TypeText& type) { return static_cast<R::PrimitiveKind>(type.bound); });
  }
};

template <class Interface, bool wide>
class BoundedServant final : public UnnamedPart<Skeleton<Interface>> {
 public:
  using UnnamedPart<Skeleton<Interface>>::UnnamedPart;
  std::uint32_t bound() override {
    return this->own([](const TypeText& type) { return type.bound; });
  }
  void bound(std::uint32_t bound) override {
    require_bound(bound);
    this->set_own([&](const TypeText&) { return string_text(bound, wide); });
  }
};

class FixedServant final : public UnnamedPart<Skeleton<R::FixedDef>> {
 public:
  using UnnamedPart::UnnamedPart;
  std::uint16_t digits() override {
    return own([](const TypeText& type) { return static_cast<std::uint16_t>(type.bound); });
  }
  void digits(std::uint16_t digits) override {
    set_own([&](const TypeText& type) { return required_fixed(digits, type.scale); });
  }
  std::int16_t scale() override {
    return own([](const TypeText& type) { return type.scale; });
  }
  void scale(std::int16_t scale) override {
    set_own(
        [&](const TypeText& type) { return required_fixed(static_cast<std::uint16_t>(type.bound), scale); });
  }
};

template <class Base>
class ElementPart : public UnnamedPart<Base> {
 public:
  using UnnamedPart<Base>::UnnamedPart;
  CORBA::typecode_reference element_type() override {
    return this->own([&](const TypeText& type) { return this->core_.type_codes().of(type.element); });
  }
  Ref<R::IDLType> element_type_def() override {
    return this->core_.read([&](const Self& self) { return this->core_.element_of(self); });
  }
};

class SequenceServant final : public ElementPart<Skeleton<R::SequenceDef>> {
 public:
  using ElementPart::element_type_def;
  using ElementPart::ElementPart;
  void element_type_def(Ref<R::IDLType> element) override {
    set_own([&](const TypeText& type) { return sequence_text(type.bound, core_.text_of(element)); });
  }
  std::uint32_t bound() override {
    return own([](const TypeText& type) { return type.bound; });
  }
  void bound(std::uint32_t bound) override {
    set_own([&](const TypeText& type) { return sequence_text(bound, type.element); });
  }
};
class ArrayServant final : public ElementPart<Skeleton<R::ArrayDef>> {
 public:
  using ElementPart::element_type_def;
  using ElementPart::ElementPart;
  void element_type_def(Ref<R::IDLType> element) override {
    set_own([&](const TypeText& type) { return array_text(type.bound, core_.text_of(element)); });
  }
  std::uint32_t length() override {
    return own([](const TypeText& type) { return type.bound; });
  }
  void length(std::uint32_t length) override {
    require_length(length);
    set_own([&](const TypeText& type) { return array_text(length, type.element); });
  }
};

}  // namespace takt::ifr
