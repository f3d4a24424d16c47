// One version of an IDL specification: all declarations of its files, by name.
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

// Owns its declarations. Not thread-safe.
class Specification {
 public:
  // Turns the name under which a file was opened into the name that findings show.
  using Shown = std::function<std::string(const std::string&)>;

  // Reads the files and the files they include. The error is readable text, ready to print. Forks a child for
  // the preprocessor, so it must be called while the process has only one thread.
  static std::expected<Specification, std::string> read(const std::vector<std::string>& files,
                                                        const PreprocessorOptions& options,
                                                        const Shown& shown = {});
  // For tests: parses preprocessed text. Declarations with syntax errors are left out.
  static Specification parsed(std::string_view text, const std::string& name);

  // Null if no declaration has the scoped name. Prefers a definition to its forward declaration, and the
  // first opening of a module.
  const Declaration* find(std::string_view scoped_name) const;
  // All declarations with a scoped name, in source order, without operations, attributes, members and
  // enumerators. A module that is opened several times is listed once.
  const std::vector<const Declaration*>& declarations() const { return declarations_; }
  // The contents of a module from all its openings.
  std::vector<const Declaration*> contents(const Declaration& module) const;
  // The interface's operations and attributes, including inherited ones.
  static std::vector<const Declaration*> operations(const Declaration& interface);
  Place place(Location at) const;

 private:
  void take(std::unique_ptr<Unit> unit, const Shown& shown);
  void index(const Declaration& scope);

  std::vector<std::unique_ptr<Unit>> units_;
  std::vector<std::string> files_;  // by the file numbers of locations
  std::vector<const Declaration*> declarations_;
  std::map<std::string, std::size_t, std::less<>> by_name_;         // index in declarations_
  std::map<std::string, std::vector<const Declaration*>> modules_;  // openings by scoped name
};

}  // namespace takt::idl::diff
