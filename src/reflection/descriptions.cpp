#include "reflection/descriptions.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include <takt/cdr/decoder.h>

namespace takt::reflection {

namespace {

using CORBA::TCKind;
using CORBA::typecode_reference;

constexpr std::uint8_t format_version = 1;

// The octets of a description, which follow their length.
ByteView octets_of(const char* description) {
  constexpr std::size_t length_octets = 4;
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(description);
  cdr::Format little_endian;
  little_endian.order = cdr::ByteOrder::little;
  cdr::Decoder length(ByteView(bytes, length_octets), 0, little_endian);
  return {bytes + length_octets, length.get_u32()};
}

// Reads one description.
class Reader {
  std::string text() {
    std::string text;
    in_.get_raw_string(text);
    return text;
  }

  template <class Read>
  auto list(Read read) {
    std::vector<decltype(read())> all;
    for (auto count = in_.get_u32(); count != 0 && in_.ok(); --count) all.push_back(read());
    return all;
  }

 public:
  explicit Reader(cdr::Decoder& in) : in_(in) {
    if (in.get_u8() != format_version) in.fail(cdr::Error::bad_typecode);
    types_ = cdr::read_typecode(in);
  }

  DescribedInterface head() {
    DescribedInterface read;
    read.id = text();
    read.scoped_name = text();
    read.defined_in = text();
    return read;
  }

  DescribedInterface whole() {
    DescribedInterface read = head();
    constexpr std::size_t alignment = 8;
    in_.align(alignment);
    read.bases = list([this] {
      DescribedBase base{text(), false};
      base.is_abstract = in_.get_u8() != 0;
      return base;
    });
    read.operations = list([&] { return operation(read.id); });
    read.attributes = list([&] { return attribute(read.id); });
    std::map<std::uint32_t, std::string> scopes;
    for (auto count = in_.get_u32(); count != 0 && in_.ok(); --count) {
      const std::uint32_t number = in_.get_u32();
      scopes.emplace(number, text());
    }
    const auto set_scopes = [&](std::vector<DescribedException>& exceptions) {
      for (DescribedException& exception : exceptions) exception.defined_in = scopes[exception.number];
    };
    for (DescribedOperation& operation : read.operations) set_scopes(operation.exceptions);
    for (DescribedAttribute& attribute : read.attributes) {
      set_scopes(attribute.get_exceptions);
      set_scopes(attribute.set_exceptions);
    }
    return read;
  }

 private:
  typecode_reference type(std::uint32_t number) {
    if (number == 0) return cdr::basic_typecode(TCKind::tk_void);
    if (!types_ || number > types_->member_count()) {
      in_.fail(cdr::Error::bad_typecode);
      return {};
    }
    return types_->member_type(number - 1);
  }

  // Exceptions are described as structs.
  typecode_reference exception(std::uint32_t number) {
    const auto as_struct = type(number);
    if (!as_struct) return {};
    cdr::TypeCodeParts parts = as_struct->_parts();
    parts.kind = TCKind::tk_except;
    return cdr::make_typecode(std::move(parts));
  }
  std::vector<DescribedException> exceptions() {
    return list([this] {
      const std::uint32_t number = in_.get_u32();
      return DescribedException{exception(number), {}, number};
    });
  }

  void put_names(DescribedMember& member, const std::string& interface) {
    member.name = text();
    member.id = text();
    member.defined_in = text();
    if (member.defined_in.empty()) member.defined_in = interface;
    if (member.id.empty())
      member.id = member.defined_in.substr(0, member.defined_in.rfind(':')) + "/" + member.name + ":1.0";
  }

  DescribedOperation operation(const std::string& interface) {
    DescribedOperation read;
    put_names(read, interface);
    read.is_oneway = in_.get_u8() != 0;
    read.result = type(in_.get_u32());
    read.parameters = list([this] {
      DescribedParameter parameter;
      parameter.name = text();
      parameter.mode = in_.get_u8();
      parameter.type = type(in_.get_u32());
      return parameter;
    });
    read.contexts = list([this] { return text(); });
    read.exceptions = exceptions();
    return read;
  }

  DescribedAttribute attribute(const std::string& interface) {
    DescribedAttribute read;
    put_names(read, interface);
    read.is_readonly = in_.get_u8() != 0;
    read.type = type(in_.get_u32());
    read.get_exceptions = exceptions();
    read.set_exceptions = exceptions();
    return read;
  }

  cdr::Decoder& in_;
  typecode_reference types_;
};

template <class Read>
DescribedInterface read_with(ByteView octets, Read read) {
  DescribedInterface result;
  const bool good = cdr::decapsulate(octets, [&](cdr::Decoder& in) {
    Reader reader(in);
    result = read(reader);
  });
  if (!good)
    throw CORBA::INTERNAL(0, CORBA::COMPLETED_NO,
                          "a skeleton's description can't be read: takt-idl and the ORB differ in version");
  return result;
}

// Adds the members that are not there yet.
template <class Member>
void add_new(std::vector<Member>& to, std::vector<Member>& from) {
  for (Member& member : from)
    if (std::ranges::find(to, member.id, &Member::id) == to.end()) to.push_back(std::move(member));
}

}  // namespace

Descriptions::Descriptions(const Sections& sections) {
  for (const auto& [first, last] : sections)
    for (const auto* at = first; at != last; ++at) {
      if (!*at) continue;  // padding
      const ByteView octets = octets_of(*at);
      octets_.emplace(read_with(octets, [](Reader& in) { return in.head(); }).id, octets);
    }
}

// Collects an interface's members with those of its bases.
class Descriptions::Finder {
 public:
  explicit Finder(const Descriptions& descriptions) : descriptions_(descriptions) {}

  DescribedInterface find(const std::string& id) {
    DescribedInterface found = add(id);
    found.operations = std::move(operations_);
    found.attributes = std::move(attributes_);
    return found;
  }

 private:
  DescribedInterface add(const std::string& id) {
    visited_.insert(id);
    const auto known = descriptions_.octets_.find(id);
    if (known == descriptions_.octets_.end())
      throw CORBA::INTF_REPOS(CORBA::omg_minor(2), CORBA::COMPLETED_NO,
                              "this program has no description of interface " + id);
    DescribedInterface read = read_with(known->second, [](Reader& in) { return in.whole(); });
    for (const DescribedBase& base : read.bases)
      if (!base.is_abstract && !visited_.contains(base.id)) add(base.id);
    add_new(operations_, read.operations);
    add_new(attributes_, read.attributes);
    return read;
  }

  const Descriptions& descriptions_;
  std::set<std::string> visited_;
  std::vector<DescribedOperation> operations_;
  std::vector<DescribedAttribute> attributes_;
};

DescribedInterface Descriptions::find(const std::string& id) const { return Finder(*this).find(id); }

bool Descriptions::is_a(const std::string& id, const std::string& base) const {
  std::vector<std::string> ids{id};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] == base) return true;
    const auto known = octets_.find(ids[i]);
    if (known == octets_.end()) continue;
    for (const DescribedBase& each : read_with(known->second, [](Reader& in) { return in.whole(); }).bases)
      if (std::ranges::find(ids, each.id) == ids.end()) ids.push_back(each.id);
  }
  return false;
}

std::string version_of(const std::string& id) { return id.substr(id.rfind(':') + 1); }

}  // namespace takt::reflection
