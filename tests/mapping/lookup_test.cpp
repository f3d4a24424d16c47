// Generated skeletons find their operations, and nothing else.
#include <takt/corba.h>

#include "objectsS.h"
#include "round_trip.h"

namespace {

using takt::server::RequestContext;
using takt::server::ServerCall;

class BothServant final : public virtual CORBA::servant_traits<Objects::Both>::base_type {
 public:
  using Base = Objects::Base;
  Base::Note keep(const Base::Note& note, Base::Notes& all, Base::Mood& mood) override {
    all.push_back(note);
    if (note.text() == "refuse") throw Base::Refused(note);
    if (note.text() == "unlisted") throw Types::Plain();
    if (note.text() == "broken") throw std::runtime_error("broken");
    mood = note.how();
    return {note.text() + "!", Base::Mood::calm};
  }
  std::string title() override { return title_; }
  void title(const std::string& title) override { title_ = title; }
  Base::Mood present_mood() override { return Base::Mood::wild; }
  std::int32_t go_left(std::int32_t a, std::int32_t& b) override { return b = a + 1; }
  void poke(Types::Colour colour) override { poked = colour; }
  Types::Points points() override { return {}; }
  void points(const Types::Points&) override {}
  CORBA::object_reference<Objects::Both> itself() override { return {}; }
  CORBA::object_reference<CORBA::Object> anything(CORBA::object_reference<CORBA::Object> thing,
                                                  CORBA::object_reference<Base>&) override {
    return thing;
  }
  void take(const Types::Everything&, Types::Matrix&) override {}
  void wait_for(CORBA::object_reference<Objects::Later>, const Objects::Laters&) override {}

  Types::Colour poked = Types::Colour::red;

 private:
  std::string title_ = "none";
};

// A request to the servant, as received from the wire.
class Request {
 public:
  explicit Request(std::string_view operation) : operation_(operation) {}

  template <class... T>
  bool send(PortableServer::Servant& servant, const T&... arguments) {
    takt::cdr::Encoder encoder(in_);
    (takt::cdr::write(encoder, arguments), ...);
    RequestContext context;
    context.operation = operation_;
    ServerCall call(context, {in_.owned(), in_.owned_size()}, 0, {}, out_);
    const bool found = servant._dispatch(call);
    answered_ = call.answered();
    return found;
  }
  bool answered() const { return answered_; }
  // Reads past the GIOP header, the id and the status; there are no contexts.
  std::uint32_t status() const { return decoder(16).get_u32(); }
  takt::cdr::Decoder results() const { return decoder(24); }
  takt::cdr::Decoder exception() const { return decoder(24); }

 private:
  takt::cdr::Decoder decoder(std::size_t from) const {
    return takt::cdr::Decoder(takt::ByteView(out_.owned(), out_.owned_size()).subspan(from), from);
  }
  std::string_view operation_;
  takt::GatherBuffer in_, out_;
  bool answered_ = false;
};

TEST(Lookup, FindsInheritedOperationsAndAttributes) {
  const auto servant = CORBA::make_reference<BothServant>();
  for (const char* known : {"_get_title", "_get_present_mood", "_get_points", "itself"})
    EXPECT_TRUE(Request(known).send(*servant)) << known;
}

TEST(Lookup, RefusesOtherNames) {
  const auto servant = CORBA::make_reference<BothServant>();
  for (const char* unknown :
       {"", "x", "title", "_set_present_mood", "keeq", "Keep", "kee", "keepp", "_get_titl", "_get_titles",
        "gettitle", "\xff\xff\xff\xff", "an operation name that is long"})
    EXPECT_FALSE(Request(unknown).send(*servant)) << unknown;
}

TEST(Skeleton, ReturnsResults) {
  const auto servant = CORBA::make_reference<BothServant>();
  Request request("keep");
  using Base = Objects::Base;
  EXPECT_TRUE(request.send(*servant, Base::Note("hello", Base::Mood::wild), Base::Notes{}));
  EXPECT_EQ(request.status(), 0u);
  auto results = request.results();
  Base::Note note;
  Base::Notes all;
  Base::Mood mood;
  EXPECT_TRUE(takt::cdr::read(results, note) && takt::cdr::read(results, all) &&
              takt::cdr::read(results, mood));
  EXPECT_EQ(note.text(), "hello!");
  EXPECT_EQ(all.size(), 1u);
  EXPECT_EQ(mood, Base::Mood::wild);
  EXPECT_EQ(results.remaining(), 0u);
}

std::string raised(const char* text) {
  const auto servant = CORBA::make_reference<BothServant>();
  Request request("keep");
  using Base = Objects::Base;
  EXPECT_TRUE(request.send(*servant, Base::Note(text, Base::Mood::wild), Base::Notes{}));
  EXPECT_NE(request.status(), 0u);
  return std::string(request.exception().get_raw_string_view());
}

TEST(Skeleton, AnswersWithExceptions) {
  EXPECT_EQ(raised("refuse"), "IDL:Objects/Base/Refused:1.0");
  EXPECT_EQ(raised("unlisted"), "IDL:omg.org/CORBA/UNKNOWN:1.0");
  EXPECT_EQ(raised("broken"), "IDL:omg.org/CORBA/UNKNOWN:1.0");
}

TEST(Skeleton, RefusesArgumentsThatEndEarly) {
  const auto servant = CORBA::make_reference<BothServant>();
  Request request("keep");
  EXPECT_TRUE(request.send(*servant, std::string("only this")));
  EXPECT_EQ(request.exception().get_raw_string_view(), "IDL:omg.org/CORBA/MARSHAL:1.0");
  Request bad_enum("poke");
  EXPECT_TRUE(bad_enum.send(*servant, std::uint32_t{77}));
  EXPECT_EQ(servant->poked, Types::Colour::red);
}

TEST(Skeleton, CallsDirectlyWhereTheOperationIsTheSame) {
  const auto servant = CORBA::make_reference<BothServant>();
  using Op = Objects::Left::_operations::go_left;
  const std::int32_t a = 4;
  std::int32_t b = 0, result = 0;
  takt::LocalFrame<Op> frame{{&a, &b}, &result};
  EXPECT_TRUE(servant->_dispatch_local(Op::id, &frame));
  EXPECT_EQ(b, 5);
  EXPECT_EQ(result, 5);
  const takt::OperationId of_another_idl{"go_left"}, unknown{"go_right"};
  EXPECT_FALSE(servant->_dispatch_local(of_another_idl, &frame));
  EXPECT_FALSE(servant->_dispatch_local(unknown, &frame));
}

TEST(Skeleton, KnowsItsInterfaces) {
  const auto servant = CORBA::make_reference<BothServant>();
  for (const char* id : {"IDL:Objects/Both:1.0", "IDL:Objects/Base:1.0", "IDL:omg.org/CORBA/Object:1.0"})
    EXPECT_TRUE(servant->_is_a(id)) << id;
  EXPECT_FALSE(servant->_is_a("IDL:Objects/Later:1.0"));
  EXPECT_EQ(servant->_repository_id(), "IDL:Objects/Both:1.0");
}

}  // namespace
