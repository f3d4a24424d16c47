// A server that passes references in both directions, a bridge that rewrites them, and a client outside.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../hostile/raw_peer.h"
#include "bridged.h"
#include "directoryS.h"
#include "types/operation_types.h"

namespace feature {

using Gateway::Directory;
using Gateway::Named;
using Gateway::Thing;
using ThingRef = IDL::traits<Thing>::ref_type;
using DirectoryRef = IDL::traits<Directory>::ref_type;

inline constexpr const char* loopback = "iiop://127.0.0.1:0";

class ThingServant final : public virtual CORBA::servant_traits<Thing>::base_type {
 public:
  explicit ThingServant(std::int32_t number) : number_(number) {}
  std::int32_t number() override { return number_; }
  void number(std::int32_t value) override { number_ = value; }

 private:
  std::int32_t number_;
};

class DirectoryServant final : public virtual CORBA::servant_traits<Directory>::base_type {
 public:
  explicit DirectoryServant(Orb orb) : orb_(std::move(orb)) {}

  ThingRef favourite() override { return favourite_; }
  void favourite(ThingRef it) override { favourite_ = it; }
  ThingRef make(std::int32_t number) override { return CORBA::make_reference<ThingServant>(number)->_this(); }
  Named describe(ThingRef it, Gateway::Things& others, double& weight) override {
    others.push_back(it);
    weight = 2.5;
    return {7, "it", it, 0.25};
  }
  Gateway::NamedThings list(std::uint32_t count) override {
    Gateway::NamedThings all;
    for (std::uint32_t i = 0; i < count; ++i)
      all.emplace_back(std::uint8_t{1}, std::string(i, 'n'), make(static_cast<std::int32_t>(i)), i / 4.0);
    return all;
  }
  Gateway::Maybe find(std::int32_t number) override {
    Gateway::Maybe maybe;
    if (number > 0)
      maybe.it(make(number));
    else
      maybe.why_not("none");
    return maybe;
  }
  CORBA::Any boxed(const CORBA::Any& it) override {
    ThingRef thing;
    CORBA::Any answer;
    if (it >>= thing)
      answer <<= Named(1, "answer", thing, 1.5);
    else
      answer <<= std::string("nothing");
    return answer;
  }
  CORBA::valuetype_reference<Gateway::Node> chain(std::int32_t length) override {
    CORBA::valuetype_reference<Gateway::Node> first;
    for (std::int32_t i = length; i > 0; --i) {
      auto node = CORBA::make_reference<Gateway::obv::Node>();
      node->it(make(i));
      node->next(first);
      first = node;
    }
    return first;
  }
  ThingRef chase(std::int32_t number) override { throw Gateway::Moved("away", make(number)); }
  std::int32_t ask(ThingRef it) override { return it->number(); }
  std::int32_t ask_text(const std::string& reference) override {
    return IDL::traits<Thing>::narrow(orb_->string_to_object(reference))->number();
  }
  std::string text_of(ThingRef it) override { return orb_->object_to_string(it); }
  CORBA::object_reference<CORBA::Object> from_text(const std::string& reference) override {
    return orb_->string_to_object(reference);
  }
  std::string unrelated(const std::string& text) override { return text; }

 private:
  const Orb orb_;
  ThingRef favourite_;
};

class Serving : public ObjectServer {
 public:
  explicit Serving(const std::string& endpoints, const Options& options = {})
      : ObjectServer(endpoints, options) {}
  std::string directory() const { return orb->object_to_string(make<DirectoryServant>(orb)); }
  ThingRef thing(std::int32_t number) const { return IDL::traits<Thing>::narrow(make<ThingServant>(number)); }

 private:
  template <class Servant, class Argument>
  CORBA::object_reference<CORBA::Object> make(Argument argument) const {
    return poa->id_to_reference(poa->activate_object(CORBA::make_reference<Servant>(argument)));
  }
};

// Reads the IDL before any test has started a thread, as operation_types_in() demands.
class DirectoryTypes final : public testing::Environment {
 public:
  void SetUp() override {
    auto types = takt::command::operation_types_in({DIRECTORY_IDL}, {});
    if (!types) throw std::runtime_error(types.error());
    all = std::move(*types);
  }
  std::vector<takt::OperationTypes> all;
};
inline auto* const directory_idl = new DirectoryTypes;  // gtest's
inline auto* const read_first = testing::AddGlobalTestEnvironment(directory_idl);
inline std::vector<takt::OperationTypes> directory_types() { return directory_idl->all; }

class GatewayOrb : public Running {
 public:
  explicit GatewayOrb(const std::vector<std::string>& inside = {},
                      const std::vector<std::string>& outside = {}, const Options& options = {},
                      std::vector<takt::OperationTypes> types = directory_types())
      : Running(loopback, options, "gateway"),
        bridge(takt::Bridge::over(orb, {std::move(types), inside, outside})) {
    run();
  }
  std::string publish(const std::string& reference, const std::string& key = "") {
    return orb->object_to_string(bridge.publish(orb->string_to_object(reference), key));
  }
  std::string place() const { return orb->_published_endpoints().front(); }

  takt::Bridge bridge;
};

inline std::string address_of(const Running& server) {
  const std::string place = server.orb->_published_endpoints().front();
  return place.substr(place.find("127.0.0.1"));
}

struct Outside {
  explicit Outside(const std::string& reference, const Options& options = {})
      : client(options), directory(IDL::traits<Directory>::narrow(client.orb->string_to_object(reference))) {}
  // Whether the reference leads through the gateway.
  bool leads_through(const GatewayOrb& gateway, const CORBA::object_reference<CORBA::Object>& it) const {
    return place_of(client.orb->object_to_string(it)) == address_of(gateway);
  }
  static std::string place_of(const std::string& reference) {
    const Place place(reference);
    return "127.0.0.1:" + std::to_string(place.port);
  }

  const Client client;
  const DirectoryRef directory;
};

}  // namespace feature
