// One version of an IDL specification: all that its files declare, by name.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "syntax/preprocessor.h"

namespace takt::idl::diff {

struct Place {
  std::string file;  // empty: none
  std::uint32_t line = 0, column = 0;
};

// Owns its declarations. One thread at a time.
class Specification {
 public:
  // What a file is called in findings, given the name under which it was opened.
  using Shown = std::function<std::string(const std::string&)>;

  // Reads the files, each with what it includes. The error is for people, ready to print. Forks a child for
  // the preprocessor, so call it while the process has one thread.
  static std::expected<Specification, std::string> read(const std::vector<std::string>& files,
                                                        const PreprocessorOptions& options,
                                                        const Shown& shown = {});
  // Of preprocessed text; whatever it could not understand is missing. For tests.
  static Specification parsed(std::string_view text, const std::string& name);

  // Null: nothing has that scoped name. A definition rather than its forward declaration; of a module that is
  // opened several times, the first.
  const Declaration* find(std::string_view scoped_name) const;
  // Everything with a scoped name but operations, attributes, members and enumerators, as found; a module
  // once.
  const std::vector<const Declaration*>& declarations() const { return declarations_; }
  // What a module contains, wherever it was opened.
  std::vector<const Declaration*> contents(const Declaration& module) const;
  // The interface's operations and attributes, inherited ones too.
  static std::vector<const Declaration*> operations(const Declaration& interface);
  Place place(Location at) const;

 private:
  void take(std::unique_ptr<Unit> unit, const Shown& shown);
  void index(const Declaration& scope);

  std::vector<std::unique_ptr<Unit>> units_;
  std::vector<std::string> files_;  // by the file numbers of locations
  std::vector<const Declaration*> declarations_;
  std::map<std::string, std::size_t, std::less<>> by_name_;         // index in declarations_
  std::map<std::string, std::vector<const Declaration*>> modules_;  // by scoped name, each opening
};

// A forward declaration's definition, where there is one.
const Declaration& defined(const Declaration& declaration);

}  // namespace takt::idl::diff
