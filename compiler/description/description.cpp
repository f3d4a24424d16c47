#include "description/description.h"

#include <algorithm>
#include <vector>

#include "description/octets.h"
#include "description/type_table.h"

namespace takt::idl::description {

namespace {

constexpr std::uint8_t format_version = 1;

// The repository id of the scope; empty in the global one.
std::string scope_id(const Declaration& declaration) {
  return declaration.scope && declaration.scope->scope ? declaration.scope->repository_id : std::string();
}

// The id that an operation has if no pragma says otherwise: IDL:M/I/o:1.0 in IDL:M/I:1.0.
std::string usual_id(const Declaration& interface, const std::string& name) {
  const auto colon = interface.repository_id.rfind(':');
  return interface.repository_id.substr(0, colon) + "/" + name + ":1.0";
}

void add_abstract_bases(const Declaration& interface, std::vector<const Declaration*>& found) {
  for (const Declaration* base : interface.bases) {
    const Declaration& meant = defined(*base);
    if (!meant.is_abstract || std::ranges::find(found, &meant) != found.end()) continue;
    add_abstract_bases(meant, found);
    found.push_back(&meant);
  }
}

class Describer {
 public:
  explicit Describer(const Declaration& interface) : interface_(interface) {
    add_abstract_bases(interface, from_);
    from_.push_back(&interface);
  }

  std::string octets() {
    Octets rest;
    put_bases(rest);
    put_operations(rest);
    put_attributes(rest);
    put_scopes(rest);
    Octets all;
    all.octet(little_endian);
    all.octet(format_version);
    types_.write_to(all);
    all.string(interface_.repository_id);
    all.string(interface_.scoped_name());
    all.string(scope_id(interface_));
    all.align(8);
    all.raw(rest.text());
    return all.text();
  }

 private:
  void put_bases(Octets& out) const {
    out.ulong(interface_.bases.size());
    for (const Declaration* base : interface_.bases) {
      out.string(defined(*base).repository_id);
      out.octet(defined(*base).is_abstract ? 1 : 0);
    }
  }

  // The members of a kind, with the interface that declares each.
  struct Member {
    const Declaration* from;
    const Declaration* declaration;
  };
  std::vector<Member> members(DeclarationKind kind) const {
    std::vector<Member> found;
    for (const Declaration* from : from_)
      for (const Declaration* inner : from->contents)
        if (inner->kind == kind) found.push_back({from, inner});
    return found;
  }

  // An empty id is the usual one, and an empty interface is this one.
  void put_names(Octets& out, const Member& member) const {
    const Declaration& one = *member.declaration;
    out.string(one.name);
    out.string(one.repository_id == usual_id(*member.from, one.name) ? "" : one.repository_id);
    out.string(member.from == &interface_ ? "" : member.from->repository_id);
  }

  void put_operations(Octets& out) {
    const auto operations = members(DeclarationKind::operation);
    out.ulong(operations.size());
    for (const Member& member : operations) {
      const Declaration& one = *member.declaration;
      put_names(out, member);
      out.octet(one.is_oneway ? 1 : 0);
      out.ulong(one.type ? types_.number_of(*one.type) : 0);
      out.ulong(one.parameters.size());
      for (const auto& parameter : one.parameters) {
        out.string(parameter.name);
        out.octet(static_cast<std::uint8_t>(parameter.direction));
        out.ulong(types_.number_of(*parameter.type));
      }
      out.ulong(one.contexts.size());
      for (const std::string& context : one.contexts) out.string(context);
      put_exceptions(out, one.raises);
    }
  }

  void put_attributes(Octets& out) {
    const auto attributes = members(DeclarationKind::attribute);
    out.ulong(attributes.size());
    for (const Member& member : attributes) {
      const Declaration& one = *member.declaration;
      put_names(out, member);
      out.octet(one.is_readonly ? 1 : 0);
      out.ulong(types_.number_of(*one.type));
      put_exceptions(out, one.raises);
      put_exceptions(out, one.set_raises);
    }
  }

  void put_exceptions(Octets& out, const std::vector<Declaration*>& raises) {
    out.ulong(raises.size());
    for (const Declaration* exception : raises) {
      const std::uint32_t number = types_.number_of(defined(*exception));
      out.ulong(number);
      scopes_.emplace(number, scope_id(defined(*exception)));
    }
  }

  // Where the exceptions are defined, by their types' numbers.
  void put_scopes(Octets& out) const {
    out.ulong(scopes_.size());
    for (const auto& [number, scope] : scopes_) {
      out.ulong(number);
      out.string(scope);
    }
  }

  const Declaration& interface_;
  std::vector<const Declaration*> from_;  // abstract bases, then the interface
  TypeTable types_;
  std::map<std::uint32_t, std::string> scopes_;
};

std::string escaped(char octet) {
  const auto code = static_cast<unsigned char>(octet);
  if (octet == '"' || octet == '\\' || octet == '?') return std::string("\\") + octet;
  if (code >= ' ' && code < 0x7f) return std::string(1, octet);
  const auto digit = [&](int shift) { return static_cast<char>('0' + ((code >> shift) & 7)); };
  return {'\\', digit(6), digit(3), digit(0)};
}

}  // namespace

std::string describe(const Declaration& interface) { return Describer(interface).octets(); }

std::string literal_of_description(const Declaration& interface) {
  constexpr std::size_t columns = 100;
  const std::string octets = describe(interface);
  Octets length;
  length.ulong(octets.size());
  std::string literal, line;
  for (const char octet : length.text() + octets) {
    line += escaped(octet);
    if (line.size() < columns) continue;
    literal += "\n    \"" + line + '"';
    line.clear();
  }
  return line.empty() ? literal : literal + "\n    \"" + line + '"';
}

}  // namespace takt::idl::description
