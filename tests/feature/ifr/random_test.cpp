// Random creations, changes and destructions of types: each type stays whole, and nothing is left behind.
#include <gtest/gtest.h>

#include <sqlite3.h>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "served.h"
#include "sqlite/handles.h"
#include "sqlite/queries.h"

namespace feature {
namespace {

class RandomTypes {
 public:
  RandomTypes(const std::string& store, unsigned seed)
      : random_(seed), server_(store), module_(server_.repository->create_module("IDL:M:1.0", "M", "1.0")) {
    types_.push_back(server_.a_long());
  }

  void change() {
    try {
      const std::function<void()> changes[] = {
          [&] { types_.push_back(server_.repository->create_sequence(below(5), any_type())); },
          [&] { types_.push_back(server_.repository->create_array(below(3), any_type())); },
          [&] { types_.push_back(server_.repository->create_string(below(4))); },
          [&] { types_.push_back(module_->create_alias(id(), name(), "1.0", any_type())); },
          [&] { types_.push_back(module_->create_struct(id(), name(), "1.0", members())); },
          [&] { any<R::SequenceDef>()->bound(below(9)); },
          [&] { any<R::SequenceDef>()->element_type_def(any_type()); },
          [&] { types_.push_back(any<R::SequenceDef>()->element_type_def()); },
          [&] { any<R::ArrayDef>()->element_type_def(any_type()); },
          [&] { any<R::ArrayDef>()->length(below(4)); },
          [&] { any<R::AliasDef>()->original_type_def(any_type()); },
          [&] { types_.push_back(any<R::AliasDef>()->original_type_def()); },
          [&] { types_.push_back(any<R::StructDef>()->members().front().type_def()); },
          [&] { any<R::StructDef>()->members(members()); },
          [&] { any_type()->destroy(); },
      };
      ++number_;
      changes[below(std::size(changes))]();
    } catch (const CORBA::BAD_PARAM&) {
    } catch (const CORBA::BAD_TYPECODE&) {
    } catch (const CORBA::BAD_INV_ORDER&) {
    } catch (const CORBA::OBJECT_NOT_EXIST&) {
    }
  }
  void expect_whole() {
    for (const auto& each : module_->contents(Kind::dk_all, true))
      EXPECT_NO_THROW(IDL::traits<R::IDLType>::narrow(each)->type()) << each->name();
  }
  // Users end before what they use, so some types are tried again.
  void destroy_all() {
    module_->destroy();
    for (std::size_t round = 0; round < 20; ++round)
      for (const auto& type : types_) (void)exception_of([&] { type->destroy(); });
  }

 private:
  std::uint32_t below(std::size_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  std::string name() const { return "T" + std::to_string(number_); }
  std::string id() const { return "IDL:M/" + name() + ":1.0"; }
  Ref<R::IDLType> any_type() { return types_[below(types_.size())]; }
  // BAD_PARAM if the random type is of another kind.
  template <class T>
  Ref<T> any() {
    auto narrow = IDL::traits<T>::narrow(any_type());
    if (!narrow) throw CORBA::BAD_PARAM();
    return narrow;
  }
  R::StructMemberSeq members() {
    R::StructMemberSeq all;
    for (std::uint32_t i = 0; i <= below(3); ++i)
      all.emplace_back("m" + std::to_string(i), CORBA::typecode_reference(), any_type());
    return all;
  }

  std::mt19937 random_;
  IfrServer server_;
  const Ref<R::ModuleDef> module_;
  std::vector<Ref<R::IDLType>> types_;
  int number_ = 0;
};

std::int64_t rows_in(const std::string& path, const std::string& table) {
  sqlite3* opened = nullptr;
  sqlite3_open(path.c_str(), &opened);
  const takt::sqlite::Database database(opened);
  return takt::sqlite::number_of(opened, ("SELECT count(*) FROM " + table).c_str());
}

TEST(IfrRandom, ChangesLeaveWholeTypesAndNothingBehind) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Folder folder;
    RandomTypes types(folder / "ifr.db", seed);
    for (int step = 1; step <= 250; ++step) {
      types.change();
      if (step % 25 == 0) types.expect_whole();
    }
    types.destroy_all();
    for (const char* table : {"definition", "unnamed", "use"})
      EXPECT_EQ(rows_in(folder / "ifr.db", table), 0);
  }
}

}  // namespace
}  // namespace feature
