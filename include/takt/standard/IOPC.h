// Made by takt-idl from IOP.idl; changes will be lost.
#pragma once

#include <takt/cdr/mapping.h>

namespace IOP {

using ProfileId = std::uint32_t;
CORBA::typecode_reference _type_code_of_ProfileId();
inline constexpr takt::cdr::TypeCodeConstant _tc_ProfileId{&_type_code_of_ProfileId};
inline constexpr ProfileId TAG_INTERNET_IOP = 0u;
inline constexpr ProfileId TAG_MULTIPLE_COMPONENTS = 1u;

class TaggedProfile {
 public:
  static constexpr takt::cdr::Description<2> _description{
      "IDL:omg.org/IOP/TaggedProfile:1.0", "IOP::TaggedProfile", {"tag", "profile_data"}};

  TaggedProfile() = default;
  TaggedProfile(ProfileId tag, std::vector<std::uint8_t> profile_data)
      : tag_(tag), profile_data_(std::move(profile_data)) {}

  void tag(ProfileId value) { tag_ = value; }
  ProfileId tag() const { return tag_; }
  ProfileId& tag() { return tag_; }
  void profile_data(const std::vector<std::uint8_t>& value) { profile_data_ = value; }
  void profile_data(std::vector<std::uint8_t>&& value) { profile_data_ = std::move(value); }
  const std::vector<std::uint8_t>& profile_data() const { return profile_data_; }
  std::vector<std::uint8_t>& profile_data() { return profile_data_; }

  void swap(TaggedProfile& other) { std::swap(*this, other); }
  friend void swap(TaggedProfile& a, TaggedProfile& b) { a.swap(b); }
  friend bool operator==(const TaggedProfile& a, const TaggedProfile& b) { return takt::cdr::equal(a, b); }
  template <class Out>
  friend Out& operator<<(Out& out, const TaggedProfile& value) {
    return IDL::write(out, value);
  }
  static CORBA::typecode_reference _type_code();
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields([[maybe_unused]] Self& self, Visitor&& visit) {
    return visit(self.tag_, self.profile_data_);
  }

 private:
  ProfileId tag_{};
  std::vector<std::uint8_t> profile_data_{};
};
inline constexpr takt::cdr::TypeCodeConstant _tc_TaggedProfile{&TaggedProfile::_type_code};
using TaggedProfileSeq = std::vector<TaggedProfile>;
CORBA::typecode_reference _type_code_of_TaggedProfileSeq();
inline constexpr takt::cdr::TypeCodeConstant _tc_TaggedProfileSeq{&_type_code_of_TaggedProfileSeq};

class IOR {
 public:
  static constexpr takt::cdr::Description<2> _description{
      "IDL:omg.org/IOP/IOR:1.0", "IOP::IOR", {"type_id", "profiles"}};

  IOR() = default;
  IOR(std::string type_id, TaggedProfileSeq profiles)
      : type_id_(std::move(type_id)), profiles_(std::move(profiles)) {}

  void type_id(const std::string& value) { type_id_ = value; }
  void type_id(std::string&& value) { type_id_ = std::move(value); }
  const std::string& type_id() const { return type_id_; }
  std::string& type_id() { return type_id_; }
  void profiles(const TaggedProfileSeq& value) { profiles_ = value; }
  void profiles(TaggedProfileSeq&& value) { profiles_ = std::move(value); }
  const TaggedProfileSeq& profiles() const { return profiles_; }
  TaggedProfileSeq& profiles() { return profiles_; }

  void swap(IOR& other) { std::swap(*this, other); }
  friend void swap(IOR& a, IOR& b) { a.swap(b); }
  friend bool operator==(const IOR& a, const IOR& b) { return takt::cdr::equal(a, b); }
  template <class Out>
  friend Out& operator<<(Out& out, const IOR& value) {
    return IDL::write(out, value);
  }
  static CORBA::typecode_reference _type_code();
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields([[maybe_unused]] Self& self, Visitor&& visit) {
    return visit(self.type_id_, self.profiles_);
  }

 private:
  std::string type_id_{};
  TaggedProfileSeq profiles_{};
};
inline constexpr takt::cdr::TypeCodeConstant _tc_IOR{&IOR::_type_code};
using ComponentId = std::uint32_t;
CORBA::typecode_reference _type_code_of_ComponentId();
inline constexpr takt::cdr::TypeCodeConstant _tc_ComponentId{&_type_code_of_ComponentId};

class TaggedComponent {
 public:
  static constexpr takt::cdr::Description<2> _description{
      "IDL:omg.org/IOP/TaggedComponent:1.0", "IOP::TaggedComponent", {"tag", "component_data"}};

  TaggedComponent() = default;
  TaggedComponent(ComponentId tag, std::vector<std::uint8_t> component_data)
      : tag_(tag), component_data_(std::move(component_data)) {}

  void tag(ComponentId value) { tag_ = value; }
  ComponentId tag() const { return tag_; }
  ComponentId& tag() { return tag_; }
  void component_data(const std::vector<std::uint8_t>& value) { component_data_ = value; }
  void component_data(std::vector<std::uint8_t>&& value) { component_data_ = std::move(value); }
  const std::vector<std::uint8_t>& component_data() const { return component_data_; }
  std::vector<std::uint8_t>& component_data() { return component_data_; }

  void swap(TaggedComponent& other) { std::swap(*this, other); }
  friend void swap(TaggedComponent& a, TaggedComponent& b) { a.swap(b); }
  friend bool operator==(const TaggedComponent& a, const TaggedComponent& b) {
    return takt::cdr::equal(a, b);
  }
  template <class Out>
  friend Out& operator<<(Out& out, const TaggedComponent& value) {
    return IDL::write(out, value);
  }
  static CORBA::typecode_reference _type_code();
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields([[maybe_unused]] Self& self, Visitor&& visit) {
    return visit(self.tag_, self.component_data_);
  }

 private:
  ComponentId tag_{};
  std::vector<std::uint8_t> component_data_{};
};
inline constexpr takt::cdr::TypeCodeConstant _tc_TaggedComponent{&TaggedComponent::_type_code};
using TaggedComponentSeq = std::vector<TaggedComponent>;
CORBA::typecode_reference _type_code_of_TaggedComponentSeq();
inline constexpr takt::cdr::TypeCodeConstant _tc_TaggedComponentSeq{&_type_code_of_TaggedComponentSeq};
using MultipleComponentProfile = TaggedComponentSeq;
CORBA::typecode_reference _type_code_of_MultipleComponentProfile();
inline constexpr takt::cdr::TypeCodeConstant _tc_MultipleComponentProfile{
    &_type_code_of_MultipleComponentProfile};
inline constexpr ComponentId TAG_ORB_TYPE = 0u;
inline constexpr ComponentId TAG_CODE_SETS = 1u;
inline constexpr ComponentId TAG_POLICIES = 2u;
inline constexpr ComponentId TAG_ALTERNATE_IIOP_ADDRESS = 3u;
using ServiceId = std::uint32_t;
CORBA::typecode_reference _type_code_of_ServiceId();
inline constexpr takt::cdr::TypeCodeConstant _tc_ServiceId{&_type_code_of_ServiceId};

class ServiceContext {
 public:
  static constexpr takt::cdr::Description<2> _description{
      "IDL:omg.org/IOP/ServiceContext:1.0", "IOP::ServiceContext", {"context_id", "context_data"}};

  ServiceContext() = default;
  ServiceContext(ServiceId context_id, std::vector<std::uint8_t> context_data)
      : context_id_(context_id), context_data_(std::move(context_data)) {}

  void context_id(ServiceId value) { context_id_ = value; }
  ServiceId context_id() const { return context_id_; }
  ServiceId& context_id() { return context_id_; }
  void context_data(const std::vector<std::uint8_t>& value) { context_data_ = value; }
  void context_data(std::vector<std::uint8_t>&& value) { context_data_ = std::move(value); }
  const std::vector<std::uint8_t>& context_data() const { return context_data_; }
  std::vector<std::uint8_t>& context_data() { return context_data_; }

  void swap(ServiceContext& other) { std::swap(*this, other); }
  friend void swap(ServiceContext& a, ServiceContext& b) { a.swap(b); }
  friend bool operator==(const ServiceContext& a, const ServiceContext& b) { return takt::cdr::equal(a, b); }
  template <class Out>
  friend Out& operator<<(Out& out, const ServiceContext& value) {
    return IDL::write(out, value);
  }
  static CORBA::typecode_reference _type_code();
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields([[maybe_unused]] Self& self, Visitor&& visit) {
    return visit(self.context_id_, self.context_data_);
  }

 private:
  ServiceId context_id_{};
  std::vector<std::uint8_t> context_data_{};
};
inline constexpr takt::cdr::TypeCodeConstant _tc_ServiceContext{&ServiceContext::_type_code};
using ServiceContextList = std::vector<ServiceContext>;
CORBA::typecode_reference _type_code_of_ServiceContextList();
inline constexpr takt::cdr::TypeCodeConstant _tc_ServiceContextList{&_type_code_of_ServiceContextList};
inline constexpr ServiceId TransactionService = 0u;
inline constexpr ServiceId CodeSets = 1u;
inline constexpr ServiceId ChainBypassCheck = 2u;
inline constexpr ServiceId ChainBypassInfo = 3u;
inline constexpr ServiceId LogicalThreadId = 4u;
inline constexpr ServiceId BI_DIR_IIOP = 5u;
inline constexpr ServiceId SendingContextRunTime = 6u;
inline constexpr ServiceId INVOCATION_POLICIES = 7u;
inline constexpr ServiceId FORWARDED_IDENTITY = 8u;
inline constexpr ServiceId UnknownExceptionInfo = 9u;
inline constexpr ServiceId RTCorbaPriority = 10u;
inline constexpr ServiceId RTCorbaPriorityRange = 11u;
inline constexpr ServiceId ExceptionDetailMessage = 14u;
using EncodingFormat = std::int16_t;
CORBA::typecode_reference _type_code_of_EncodingFormat();
inline constexpr takt::cdr::TypeCodeConstant _tc_EncodingFormat{&_type_code_of_EncodingFormat};
inline constexpr EncodingFormat ENCODING_CDR_ENCAPS = 0;

class Encoding {
 public:
  static constexpr takt::cdr::Description<3> _description{
      "IDL:omg.org/IOP/Encoding:1.0", "IOP::Encoding", {"format", "major_version", "minor_version"}};

  Encoding() = default;
  Encoding(EncodingFormat format, std::uint8_t major_version, std::uint8_t minor_version)
      : format_(format), major_version_(major_version), minor_version_(minor_version) {}

  void format(EncodingFormat value) { format_ = value; }
  EncodingFormat format() const { return format_; }
  EncodingFormat& format() { return format_; }
  void major_version(std::uint8_t value) { major_version_ = value; }
  std::uint8_t major_version() const { return major_version_; }
  std::uint8_t& major_version() { return major_version_; }
  void minor_version(std::uint8_t value) { minor_version_ = value; }
  std::uint8_t minor_version() const { return minor_version_; }
  std::uint8_t& minor_version() { return minor_version_; }

  void swap(Encoding& other) { std::swap(*this, other); }
  friend void swap(Encoding& a, Encoding& b) { a.swap(b); }
  friend bool operator==(const Encoding& a, const Encoding& b) { return takt::cdr::equal(a, b); }
  template <class Out>
  friend Out& operator<<(Out& out, const Encoding& value) {
    return IDL::write(out, value);
  }
  static CORBA::typecode_reference _type_code();
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields([[maybe_unused]] Self& self, Visitor&& visit) {
    return visit(self.format_, self.major_version_, self.minor_version_);
  }

 private:
  EncodingFormat format_{};
  std::uint8_t major_version_{};
  std::uint8_t minor_version_{};
};
inline constexpr takt::cdr::TypeCodeConstant _tc_Encoding{&Encoding::_type_code};

class Encoding_1_2 {
 public:
  static constexpr takt::cdr::Description<5> _description{
      "IDL:omg.org/IOP/Encoding_1_2:1.0",
      "IOP::Encoding_1_2",
      {"format", "major_version", "minor_version", "char_codeset", "wchar_codeset"}};

  Encoding_1_2() = default;
  Encoding_1_2(EncodingFormat format, std::uint8_t major_version, std::uint8_t minor_version,
               std::uint32_t char_codeset, std::uint32_t wchar_codeset)
      : format_(format),
        major_version_(major_version),
        minor_version_(minor_version),
        char_codeset_(char_codeset),
        wchar_codeset_(wchar_codeset) {}

  void format(EncodingFormat value) { format_ = value; }
  EncodingFormat format() const { return format_; }
  EncodingFormat& format() { return format_; }
  void major_version(std::uint8_t value) { major_version_ = value; }
  std::uint8_t major_version() const { return major_version_; }
  std::uint8_t& major_version() { return major_version_; }
  void minor_version(std::uint8_t value) { minor_version_ = value; }
  std::uint8_t minor_version() const { return minor_version_; }
  std::uint8_t& minor_version() { return minor_version_; }
  void char_codeset(std::uint32_t value) { char_codeset_ = value; }
  std::uint32_t char_codeset() const { return char_codeset_; }
  std::uint32_t& char_codeset() { return char_codeset_; }
  void wchar_codeset(std::uint32_t value) { wchar_codeset_ = value; }
  std::uint32_t wchar_codeset() const { return wchar_codeset_; }
  std::uint32_t& wchar_codeset() { return wchar_codeset_; }

  void swap(Encoding_1_2& other) { std::swap(*this, other); }
  friend void swap(Encoding_1_2& a, Encoding_1_2& b) { a.swap(b); }
  friend bool operator==(const Encoding_1_2& a, const Encoding_1_2& b) { return takt::cdr::equal(a, b); }
  template <class Out>
  friend Out& operator<<(Out& out, const Encoding_1_2& value) {
    return IDL::write(out, value);
  }
  static CORBA::typecode_reference _type_code();
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields([[maybe_unused]] Self& self, Visitor&& visit) {
    return visit(self.format_, self.major_version_, self.minor_version_, self.char_codeset_,
                 self.wchar_codeset_);
  }

 private:
  EncodingFormat format_{};
  std::uint8_t major_version_{};
  std::uint8_t minor_version_{};
  std::uint32_t char_codeset_{};
  std::uint32_t wchar_codeset_{};
};
inline constexpr takt::cdr::TypeCodeConstant _tc_Encoding_1_2{&Encoding_1_2::_type_code};

}  // namespace IOP
