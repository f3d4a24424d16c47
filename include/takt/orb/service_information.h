// The answer of ORB::get_service_information() about an optional service (CORBA 3.0.3, 4.2.2).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <takt/cdr/mapping.h>

namespace CORBA {

using ServiceType = std::uint16_t;
using ServiceOption = std::uint32_t;
using ServiceDetailType = std::uint32_t;
inline constexpr ServiceType Security = 1;

class ServiceDetail {
 public:
  static constexpr takt::cdr::Description<2> _description{"IDL:omg.org/CORBA/ServiceDetail:1.0",
                                                          "CORBA::ServiceDetail",
                                                          {"service_detail_type", "service_detail"}};

  ServiceDetail() = default;
  ServiceDetail(ServiceDetailType type, std::vector<std::uint8_t> detail)
      : type_(type), detail_(std::move(detail)) {}

  void service_detail_type(ServiceDetailType value) { type_ = value; }
  ServiceDetailType service_detail_type() const { return type_; }
  void service_detail(std::vector<std::uint8_t> value) { detail_ = std::move(value); }
  const std::vector<std::uint8_t>& service_detail() const { return detail_; }
  std::vector<std::uint8_t>& service_detail() { return detail_; }

  friend bool operator==(const ServiceDetail& a, const ServiceDetail& b) { return takt::cdr::equal(a, b); }
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields(Self& self, Visitor&& visit) {
    return visit(self.type_, self.detail_);
  }

 private:
  ServiceDetailType type_ = 0;
  std::vector<std::uint8_t> detail_;
};

class ServiceInformation {
 public:
  static constexpr takt::cdr::Description<2> _description{"IDL:omg.org/CORBA/ServiceInformation:1.0",
                                                          "CORBA::ServiceInformation",
                                                          {"service_options", "service_details"}};

  ServiceInformation() = default;
  ServiceInformation(std::vector<ServiceOption> options, std::vector<ServiceDetail> details)
      : options_(std::move(options)), details_(std::move(details)) {}

  void service_options(std::vector<ServiceOption> value) { options_ = std::move(value); }
  const std::vector<ServiceOption>& service_options() const { return options_; }
  std::vector<ServiceOption>& service_options() { return options_; }
  void service_details(std::vector<ServiceDetail> value) { details_ = std::move(value); }
  const std::vector<ServiceDetail>& service_details() const { return details_; }
  std::vector<ServiceDetail>& service_details() { return details_; }

  friend bool operator==(const ServiceInformation& a, const ServiceInformation& b) {
    return takt::cdr::equal(a, b);
  }
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields(Self& self, Visitor&& visit) {
    return visit(self.options_, self.details_);
  }

 private:
  std::vector<ServiceOption> options_;
  std::vector<ServiceDetail> details_;
};

}  // namespace CORBA
