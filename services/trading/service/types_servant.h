// The repository of service types.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "CosTradingReposS.h"
#include "trading/service/parts.h"

namespace takt::trading {

class TypesServant final : public virtual CORBA::servant_traits<TypeRepository>::base_type {
 public:
  explicit TypesServant(Parts& parts) : parts_(parts) {}

  TypeRepository::IncarnationNumber incarnation() override;
  TypeRepository::IncarnationNumber add_type(const std::string& name, const std::string& if_name,
                                             const TypeRepository::PropStructSeq& props,
                                             const TypeRepository::ServiceTypeNameSeq& super_types) override;
  void remove_type(const std::string& name) override;
  TypeRepository::ServiceTypeNameSeq list_types(
      const TypeRepository::SpecifiedServiceTypes& which_types) override;
  TypeRepository::TypeStruct describe_type(const std::string& name) override;
  TypeRepository::TypeStruct fully_describe_type(const std::string& name) override;
  void mask_type(const std::string& name) override;
  void unmask_type(const std::string& name) override;

 private:
  void check_supers(const std::string& name, const std::string& if_name,
                    const TypeRepository::ServiceTypeNameSeq& super_types) const;
  void check_properties(const std::string& name, const TypeRepository::TypeStruct& own) const;
  void set_mask(const std::string& name, bool masked);
  void put(const TypePtr& type);

  Parts& parts_;
};

}  // namespace takt::trading
