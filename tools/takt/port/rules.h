// The rules of `takt port check`: which headers, names and words of builds of omniORB and TAO Takt has.
// docs/user/porting.md says the same; feature.takt_port compares them.
#pragma once

#include <string_view>

namespace takt::command::port {

enum class Verdict {
  as_it_is,  // compiles with the classic mapping and Takt's headers for omniORB
  change,    // a line must be changed; the advice says to what
  missing,   // Takt has nothing for it
};
std::string_view word_of(Verdict verdict);  // "as it is"

struct Rule {
  std::string_view word;  // the whole word, or its beginning if it ends in *
  Verdict verdict;
  std::string_view advice;  // empty if there is none
};

// The names, with spaces or line ends around each, that the classic mapping has in a module of the standard.
struct KnownNames {
  std::string_view module, names;
};
extern const KnownNames known_names[];  // the last one is empty; known_names.cpp is generated

// Null if no rule knows the word. A header is named as in #include; of those of no ORB there is no rule.
const Rule* rule_of_header(std::string_view header);
// A name with its scopes; also the rules of its last part alone count.
const Rule* rule_of_name(std::string_view name);
// A string literal as a whole, such as the id of an initial reference.
const Rule* rule_of_literal(std::string_view literal);
// A word of a file of a build: a library, a package or a program.
const Rule* rule_of_build_word(std::string_view word);
// An option of omniidl or tao_idl.
const Rule* rule_of_compiler_option(std::string_view option);

}  // namespace takt::command::port
