// Parses tokens into the model (IDL 4.2, 7.4; CORBA 3.0.3, 3.4). IDL declares names before their use, so
// names are resolved and constants computed while parsing.
#pragma once

#include <deque>
#include <functional>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/diagnostics.h"
#include "model/model.h"
#include "sema/constants.h"
#include "sema/repository_ids.h"
#include "sema/scopes.h"
#include "syntax/lexer.h"

namespace takt::idl {

// All reserved words.
std::span<const char* const> reserved_words();

// After an error, parsing resumes after the next `;` or `}`, so that one run reports several errors. The
// nesting depth is bounded, so that no input can exhaust the stack. It is large because the annotations and
// pragmas that precede a declaration wait here until it is parsed.
class Parser {
 public:
  Parser(std::string_view text, Unit& unit, Diagnostics& diagnostics);
  // Parses the whole input. Declarations with errors are left out of the unit and reported in the
  // diagnostics.
  void parse();

 private:
  using K = DeclarationKind;
  using Annotations = std::vector<AnnotationUse>;
  struct Skip {};  // thrown to the place where parsing resumes after an error
  class Depth;
  // Sets a variable for the lifetime of this object.
  template <class T>
  class Temporarily {
   public:
    Temporarily(T& variable, T value) : variable_(variable), before_(std::exchange(variable, value)) {}
    ~Temporarily() { variable_ = before_; }
    Temporarily(const Temporarily&) = delete;
    Temporarily& operator=(const Temporarily&) = delete;

   private:
    T& variable_;
    const T before_;
  };

  // Has a declaration in open_ for the lifetime of this object, so also while an error is passed on.
  class Open {
   public:
    Open(std::vector<const Declaration*>& all, const Declaration& one) : all_(all) { all_.push_back(&one); }
    ~Open() { all_.pop_back(); }
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;

   private:
    std::vector<const Declaration*>& all_;
  };

  // parser.cpp: reading ahead, expecting, skipping
  void advance();
  const Token& look(std::size_t ahead);
  bool at(std::string_view text) const;
  bool at_word(std::string_view word) const;
  bool accept(std::string_view text);
  bool accept_word(std::string_view word);
  void expect(std::string_view text);
  [[noreturn]] void fail(std::string text);
  void error(Location where, std::string text) { diagnostics_.error(where, std::move(text)); }
  // Skips to after the `;` that ends the current statement of brace level `level`, or to the `}` that ends
  // the level.
  void skip_statement(int level);
  struct Name {
    std::string text;
    Location at;
  };
  Name identifier(const char* what);
  static bool is_reserved(std::string_view word);
  static bool is_name(const Token& token);
  // At a keyword that cannot be a name here.
  bool at_keyword() const;
  // Reports that the current token, a name, is `keyword` or differs from it in case only.
  void keyword_as_name(const std::string& keyword);
  std::string string_literal();
  std::string context_pattern();
  Declaration& make(K kind, const Name& name, Annotations annotations = {});
  // Makes a declaration, enters its name, and adds it to the contents of the scope.
  Declaration& add(K kind, const Name& name, Annotations annotations = {});
  template <class Body>
  void in_scope(Declaration& scope, Body body);
  void body(Declaration& scope, const std::function<void()>& one);
  bool begins_after(const Declaration& scope) const;
  void close_before(const Declaration& scope);

  // names.cpp
  struct ScopedName {
    std::string text;
    Location at;
    Declaration* found;
  };
  ScopedName scoped_name();
  Name name_part();
  // Reads `::` and a name, which it appends.
  Name further_part(ScopedName& whole);
  // Reads and resolves a further part. False: the name ends with it, because the compiler knows it without a
  // declaration.
  bool resolve_further(ScopedName& whole);
  Declaration* resolve_next(Declaration* scope, const Name& name, bool outward);
  // The type of module CORBA that the compiler knows without a declaration; null if it knows none.
  Declaration* predefined(const std::string& name);
  Declaration& make_predefined(DeclarationKind kind, const std::string& name, Declaration* scope);
  // Makes CORBA::TCKind and its enumerators.
  void make_predefined_kinds(Declaration* module);
  // Makes `interface` local if it passes or inherits `by`, which the compiler took as local too. Whether it
  // did.
  bool take_as_local(Declaration& interface, const Declaration& by, Location where);
  const Type* make_type(Type type);
  const Type* named_type(Declaration& declaration);
  const Type* simple(TypeKind kind);

  // types.cpp
  const Type* type_spec(bool allow_void = false);
  // Null, if the current token begins none of these types.
  const Type* template_type();
  const Type* string_type(TypeKind kind);
  const Type* sequence_type();
  const Type* map_type();
  const Type* fixed_type();
  void close_template();
  // Null, if the current token begins none of these types.
  const Type* basic_type();
  const Type* unsigned_type();
  const Type* long_type();
  // The type of a name that is not declared, if the compiler knows it; else an error.
  const Type* undeclared_type(const ScopedName& name);
  const Type* param_type(bool allow_void);
  // Between < and >.
  std::uint64_t positive_constant(const char* what);
  std::uint64_t array_length();
  // The value, or an error at `where` and 1.
  std::uint64_t positive(const Value& value, Location where, const char* what);
  const Type* declarator(const Type* base, Name& name);
  void check_complete(const Type& type, Location at);
  // Adds the nesting depth of a member, base or element type to `outer`, and notes local interfaces.
  void hold(Declaration& outer, const Type& inner, Location at);
  void hold(Declaration& outer, const Declaration& inner, Location at);
  static bool is_local(const Type& type);

  // definitions.cpp
  using Reader = void (Parser::*)(Annotations annotations);
  // The innermost scopes that a definition may be in; each includes those before it.
  enum class Within : std::uint8_t { members, interfaces, modules };
  struct Beginning {
    std::string_view word;
    Reader reader;
    Within within;
  };
  // Null if no definition begins with the word.
  static const Beginning* beginning_of(std::string_view word);
  void definition();
  void definition_of_word(Annotations annotations);
  void module_definition(Annotations annotations);
  void plain_module(const Name& name, Annotations annotations);
  void typedef_definition(Annotations annotations);
  // Declares the name, unless it is declared as that already.
  void forward_declaration(K kind, const Name& name);
  // Whether the scope has a declaration or forward declaration of one of these kinds.
  bool is_known(const Name& name, std::initializer_list<K> kinds);
  void struct_definition(Annotations annotations);
  void struct_members(const Name& name, Annotations annotations);
  void union_definition(Annotations annotations);
  void discriminator(Declaration& of_union);
  // `used`: the labels so far.
  void union_member(Declaration& of_union, std::set<Int128>& used);
  Value label(const Declaration& of_union);
  void enum_definition(Annotations annotations);
  // `used`: the values of the enumerators so far.
  void check_enumerator(const Name& name, Int128 value, std::uint32_t bits, std::set<Int128>& used);
  void exception_definition(Annotations annotations);
  void constant_definition(Annotations annotations);
  void native_definition(Annotations annotations);
  void bitset_definition(Annotations annotations);
  void bitmask_definition(Annotations annotations);
  std::optional<std::uint32_t> bit_bound(const Declaration& declaration, std::uint32_t most);
  void members(Declaration& scope, Annotations annotations);
  // The declaration of the same name in this scope; null if there is none.
  Declaration* earlier(const Name& name);
  Declaration& begin_definition(K kind, const Name& name, Annotations annotations);
  Declaration* constructed_type();

  // template_modules.cpp
  struct Template {
    struct Parameter {
      std::string kind, name;
    };
    const Declaration* scope = nullptr;  // around it
    std::vector<Parameter> parameters;
    std::vector<Token> body;  // with its braces
  };
  using Tokens = std::vector<Token>;
  std::vector<Tokens> bracketed();
  void template_definition(const Name& name, const std::vector<Tokens>& formal, Annotations annotations);
  void add_parameter(Template& made, const Tokens& formal, const Name& module);
  Tokens template_body(const Name& module);
  Tokens argument_in_full(const Tokens& given, const std::string& kind);
  // Resolves the name that begins at given[at], which it moves to the name's last token, and appends it in
  // full.
  const Declaration* append_in_full(Tokens& whole, const Tokens& given, std::size_t& at);
  void template_instance(const Declaration& of, const Name& of_name, const std::vector<Tokens>& actual,
                         Annotations annotations);

  // interfaces.cpp
  // The words before `interface`, `valuetype` or `eventtype`.
  struct Modifiers {
    bool is_abstract = false, is_local = false, is_custom = false;
  };
  void plain_interface(Annotations annotations);
  void local_interface(Annotations annotations);
  void abstract_definition(Annotations annotations);
  void interface_definition(Annotations annotations, const Modifiers& modifiers);
  // The interfaces that a declaration inherits or supports.
  void inheritance(Declaration& derived, std::vector<Declaration*>& into);
  void interface_base(Declaration& derived, const ScopedName& base, std::vector<Declaration*>& into);
  // Follows a typedef to its type, and a forward declaration to its definition.
  static Declaration* meant_by(Declaration* found);
  void check_inherited(Declaration& interface);
  void export_();
  void operation(Annotations annotations);
  void attribute(Annotations annotations);
  void parameters(Declaration& operation, bool initializer);
  void parameter(Declaration& operation, bool initializer);
  std::vector<Declaration*> raises_list();

  // values.cpp
  void plain_value(Annotations annotations);
  void plain_event(Annotations annotations);
  void custom_value(Annotations annotations);
  // `kind`: value or event.
  void value_definition(Annotations annotations, K kind, const Modifiers& modifiers);
  void boxed_value(const Name& name, Annotations annotations);
  void value_inheritance(Declaration& value);
  void value_bases(Declaration& value);
  void value_base(Declaration& value, const ScopedName& base);
  void value_element(Declaration& value);
  void component_definition(Annotations annotations);
  void home_definition(Annotations annotations);
  void component_export();
  void port_type_definition(Annotations annotations);

  // expressions.cpp
  Value expression();
  // Between < and >, where >> closes two templates instead of shifting.
  Value bracketed_expression();
  Value binary_expression(int level);
  Value unary_expression();
  Value folded_value(Folded result, Location at);
  Value primary_expression();
  // No value, if the current token is no literal.
  std::optional<Value> literal();
  Value named_constant();
  Value constant_of(const Type& type);
  Annotations annotations();
  AnnotationUse annotation();
  Value annotation_argument();
  std::string unparsed_argument();
  void annotation_definition();
  // Whether the standard's boolean annotation is among those given, and TRUE. One of the same name that the
  // file defines is another.
  bool has_annotation(const Annotations& given, std::string_view name);

  // pragmas.cpp: pragmas and type ids. Annotations have no meaning for type ids and imports.
  void pragma(const Token& token);
  void ami_pragma(std::string_view name, Location at);
  // The declaration that a pragma names; null if there is none.
  Declaration* pragma_target(std::string_view name, Location at);
  void type_id_declaration(Annotations);
  void type_prefix_declaration(Annotations);
  void import_declaration(Annotations);

  void finish();

  Unit& unit_;
  Diagnostics& diagnostics_;
  Lexer lexer_;
  Scopes scopes_;
  RepositoryIds ids_;
  Token token_;
  Location previous_end_;  // end of the previous token
  std::deque<Token> ahead_;
  Declaration* scope_;
  std::vector<const Declaration*> open_;  // structs and unions whose members are being read
  int depth_ = 0;
  int braces_ = 0;                // number of open braces before token_
  int assumed_braces_ = 0;        // that close_before() has closed
  const Type* target_ = nullptr;  // type of the constant expression being read, if known
  bool is_astray_ = false;        // the last token at a definition's place began none
  bool in_brackets_ = false;      // >> closes two templates instead of shifting
  bool of_constant_ = false;      // the type of a constant is being read
  std::unordered_map<int, const Type*> simple_types_;
  std::unordered_map<std::string, Declaration*> predefined_;
  Declaration* predefined_module_ = nullptr;      // used while the file declares no module CORBA
  std::optional<std::uint32_t> predefined_file_;  // the number that their locations have
  std::set<const Declaration*> taken_as_local_;   // without the word `local`
  std::set<std::string> keywords_as_names_;       // declared without the escaping underscore
  std::unordered_map<const Declaration*, Template> templates_;
  std::deque<std::string> spelled_;               // texts of tokens that the parser made
  std::vector<const Declaration*> instantiated_;  // template modules whose instances are being read
  std::size_t instance_tokens_ = 0;               // in the instances of template modules
};

// Limits how deep the input nests.
class Parser::Depth {
 public:
  explicit Depth(Parser& parser) : parser_(parser) {
    if (++parser_.depth_ > 200) {
      --parser_.depth_;
      parser_.fail("this is nested deeper than 200 levels");
    }
  }
  ~Depth() { --parser_.depth_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;

 private:
  Parser& parser_;
};

template <class Body>
void Parser::in_scope(Declaration& scope, Body inner) {
  struct Restore {
    Parser& parser;
    Declaration* outer;
    ~Restore() {
      parser.scope_ = outer;
      parser.ids_.leave();
    }
  } restore{*this, scope_};
  scope_ = &scope;
  ids_.enter(scope);
  inner();
}

}  // namespace takt::idl
