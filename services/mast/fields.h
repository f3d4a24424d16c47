// The attributes of an element. Each has to be taken, so that what the import does not understand is refused.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "mast/syntax.h"

namespace takt::scheduling::mast {

// Attributes that were read but do not change an analysis, each with its number and its first line.
class Unused {
 public:
  void add(const Attribute& attribute) {
    const auto [known, is_new] = all_.try_emplace(attribute.name, Use{attribute.at.line, 0});
    ++known->second.count;
  }
  // "Avg_Case_Execution_Time (8, the first in line 20)" and so on, by name.
  std::vector<std::string> texts() const;

 private:
  struct Use {
    std::int32_t line = 0;
    std::size_t count = 0;
  };
  struct WithoutCase {
    bool operator()(const std::string& left, const std::string& right) const {
      return lower(left) < lower(right);
    }
  };
  std::map<std::string, Use, WithoutCase> all_;
};

class Fields {
 public:
  // `owner` is what has the attributes, for messages. Refuses a group that is not one of attributes, and an
  // attribute that is given twice. `group` must outlive this.
  Fields(const Value& group, std::string owner);

  // Marks the attribute as taken. Null if it is not given.
  const Value* find(std::string_view name);
  const Value& need(std::string_view name);
  // The word that the attribute has.
  const std::string& word(std::string_view name);
  // The index of the attribute's word in `allowed`, which is written in the message about another.
  std::size_t one_of(std::string_view name, std::initializer_list<std::string_view> allowed);
  // Calls `each` with every element of the attribute's list.
  template <class Each>
  void list(std::string_view name, Each each) {
    if (const Value* all = find(name)) {
      if (all->form != Value::Form::list)
        throw Wrong{all->at, std::string(name) + " of " + owner_ + " is a list: (..., ...)"};
      for (const Value& value : all->list) each(value);
    }
  }
  // Takes attributes that change nothing.
  void skip(Unused& unused, std::initializer_list<std::string_view> names);
  // Refuses an attribute that was not taken.
  void finish() const;

  const std::string& owner() const { return owner_; }
  void own(std::string owner) { owner_ = std::move(owner); }
  Place at() const { return group_.at; }

 private:
  const Value& group_;
  std::string owner_;
  std::vector<bool> taken_;
};

// The text of a word; `meaning` is what was expected.
const std::string& word_of(const Value& value, const std::string& meaning);

}  // namespace takt::scheduling::mast
