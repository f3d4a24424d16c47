#include "rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <utility>

#include "peer.h"
#include "tables.h"

namespace rows {
namespace {

using Road = Call::Road;
using Form = Call::Form;
using Servant = Call::Servant;
using Outcome = Call::Outcome;
using Words = std::vector<std::string>;

constexpr int interceptors = 3;
constexpr int asking = 1;  // the interceptor that asks for the members
const std::array<const char*, 6> thrown_names{"nothing",          "a system exception", "a forward",
                                              "a user exception", "a number",           "a forward to nil"};
constexpr std::array<Thrown, 5> all_thrown{Thrown::system_exception, Thrown::forward, Thrown::user_exception,
                                           Thrown::number, Thrown::nil_forward};

// An interceptor throws at a point, once.
struct Throw {
  Side side{};
  int interceptor = 0;
  std::string point;
  Thrown what{};
};

std::string status_of(const std::string& exception) { return exception.substr(exception.rfind(' ') + 1); }

// One run of a point, with the facts that its members tell.
struct Point {
  Side side{};
  int interceptor = 0;
  std::string name;
  bool starts = false;  // an attempt
  bool found = false;   // an object
  bool shown = false;   // the values
  bool expects_response = true;
  // "ok", "sent", "forward", "retry", "Refused" or a system exception with its minor code and completion.
  std::string state = {};

  std::string text() const {
    return std::string(side == Side::client ? "client " : "server ") + static_cast<char>('A' + interceptor) +
           "." + name;
  }
};

// The rules of flows (21.3.6 and 21.3.9) as a model, which gives the points of a call and its outcome.
class Model {
 public:
  // `more_attempts`: how many there are that do not reach the peer.
  Model(const Call& call, std::vector<Throw> throws, int more_attempts = 0)
      : call_(call), throws_(std::move(throws)), more_attempts_(more_attempts) {
    outcome = attempt([this] { return serve(); });
    // Where calls are forwarded there is an object without interceptors.
    while (outcome == "forward" || outcome == "retry")
      outcome =
          attempt([this, again = outcome == "retry"] { return again ? serve_by_peer() : natural(true); });
    if (outcome == "sent") outcome = "ok";
  }
  // Whether each throw has happened.
  bool all_thrown() const { return throws_.empty(); }
  Words texts(Side side) const {
    Words texts;
    for (const Point& one : points)
      if (one.side == side) texts.push_back(one.text());
    return texts;
  }

  std::vector<Point> points;
  std::string outcome;

 private:
  bool one_way() const { return call_.outcome == Outcome::oneway; }

  // The outcome of the call at its object; `elsewhere`: where it is forwarded.
  std::string natural(bool elsewhere) const {
    switch (call_.outcome) {
      case Outcome::user_exception:
        return "Refused";
      case Outcome::system_exception:
        return "NO_RESOURCES 7 YES";
      case Outcome::absent:
        return elsewhere ? "ok" : "OBJECT_NOT_EXIST 0 NO";
      case Outcome::forward:
      case Outcome::moved:
        return elsewhere ? "ok" : "forward";
      case Outcome::closed:
      case Outcome::readdressed:
        return elsewhere ? "ok" : "retry";
      case Outcome::lost:
        return elsewhere ? "ok" : "COMM_FAILURE 0 MAYBE";
      default:
        return "ok";
    }
  }

  // Runs a point. What it throws becomes the state.
  bool run(Point point, std::string& state) {
    point.expects_response = !one_way();
    points.push_back(point);
    const auto found = std::ranges::find_if(throws_, [&](const Throw& one) {
      return one.side == point.side && one.interceptor == point.interceptor && one.point == point.name;
    });
    if (found == throws_.end()) return false;
    const Thrown what = found->what;
    throws_.erase(found);
    // A call that has had results is not sent again.
    returned_ = (returned_ && !point.starts) || point.name == "receive_reply";
    const bool may_forward = !(point.side == Side::client && returned_) && point.name != "send_reply";
    if (what == Thrown::system_exception)
      state = "NO_PERMISSION 77 NO";
    else if (what == Thrown::forward && may_forward)
      state = "forward";
    else
      state =
          (what == Thrown::nil_forward && may_forward ? "BAD_PARAM 0 " : "UNKNOWN 1 ") + completion(point);
    return true;
  }
  // The completion status of what the point may throw (21.3.6.6 and 21.3.9.6).
  static std::string completion(const Point& point) {
    if (point.name.ends_with("_reply") || point.state == "Refused") return "YES";
    return point.name.ends_with("_exception") ? status_of(point.state) : "NO";
  }

  template <class Serve>
  std::string attempt(Serve served) {
    Point point{.side = Side::client, .name = "send_request", .starts = true};
    point.shown = call_.form == Form::dynamic || call_.form == Form::deferred;
    std::string state;
    int begun = 0;
    for (; begun < interceptors; ++begun) {
      point.interceptor = begun;
      if (run(point, state)) break;
    }
    if (begun == interceptors) {
      state = served();
      if (one_way() && (!direct_ || state == "ok")) state = "sent";
    }
    point.starts = false;
    while (begun-- > 0) {
      point.interceptor = begun;
      point.state = state;
      point.name = state == "ok"                                               ? "receive_reply"
                   : state == "sent" || state == "forward" || state == "retry" ? "receive_other"
                                                                               : "receive_exception";
      run(point, state);
    }
    return state;
  }

  std::string serve() {
    if (call_.outcome >= Outcome::closed) return serve_by_peer();
    // Such calls of stubs within the process have to be marshaled, so their requests begin again.
    const bool marshaled = call_.servant == Servant::dynamic || call_.outcome == Outcome::forward;
    // Exceptions of interceptors before that reach the client of a oneway, too.
    direct_ = call_.road == Road::process && call_.form == Form::stub;
    if (direct_ && marshaled) {
      const std::string state = request("retry");
      if (state != "retry") return state;
      direct_ = false;
    }
    return request(natural(false));
  }

  // The peer has no interceptors.
  std::string serve_by_peer() {
    if (more_attempts_-- > 0) return "retry";
    return natural(std::exchange(reached_peer_, true));
  }

  std::string request(std::string state) {
    Point point{.side = Side::server, .name = "receive_request_service_contexts", .starts = true};
    int begun = 0;
    bool goes_on = true;
    for (; begun < interceptors && goes_on; begun += goes_on) {
      point.interceptor = begun;
      goes_on = !run(point, state);
    }
    point.starts = false;
    const bool found = call_.outcome != Outcome::forward && call_.outcome != Outcome::absent;
    if (goes_on && found) {
      point.found = true;
      point.name = "receive_request";
      for (point.interceptor = 0; point.interceptor < interceptors && goes_on; ++point.interceptor)
        goes_on = !run(point, state);
      point.shown = goes_on && call_.servant == Servant::dynamic && state != "retry";
      // Exceptions of oneways get no answer.
      if (goes_on && one_way() && state != "retry") state = "ok";
    }
    while (begun-- > 0) {
      point.interceptor = begun;
      point.state = state;
      point.name = state == "ok"                            ? "send_reply"
                   : state == "forward" || state == "retry" ? "send_other"
                                                            : "send_exception";
      run(point, state);
    }
    return state;
  }

  const Call call_;
  std::vector<Throw> throws_;
  int more_attempts_;
  bool reached_peer_ = false;
  bool returned_ = false;  // the client's attempt
  bool direct_ = false;    // the last request was that of a call that was not marshaled
};

std::string status_in(const std::string& state) {
  if (state == "ok" || state == "sent") return "0";
  if (state == "forward") return "3";
  if (state == "retry") return "4";
  return state == "Refused" ? "2" : "1";
}

// The answer that the row gives; `same` is the number of the attempt.
std::string expected_answer(const std::string& letter, const Point& point, const std::string& operation,
                            const std::string& same) {
  static const std::string order = "BAD_INV_ORDER 14", hidden = "NO_RESOURCES 1";
  switch (letter.at(0)) {
    case 'O':
      return order;
    case 'N':
      return point.state == "forward" ? "ok" : order;
    case 'H':
      return hidden;
    case 'V':
      return point.shown ? "ok" : hidden;
    case 'T':
      return point.found ? "ok" : hidden;
    case 'C':
      return "BAD_PARAM 26";
    case 'P':
      return "BAD_PARAM 28";
    case 'B':
      return "BAD_PARAM 29";
    case 'Z':
      return "BAD_PARAM 0";
    case 'R':
      return "INV_POLICY 1";
    case 'I':
      return "INV_POLICY 3";
    case 'S':
      return "InvalidSlot";
    case 'i':
      return same;
    case 'o':
      return operation;
    case 'x':
      return point.expects_response ? "true" : "false";
    case 's':
      return status_in(point.state);
    case 'e':
      return point.state.substr(0, point.state.find(' '));
    case 'c':
      return point.state == "Refused" ? "*" : status_of(point.state);
    default:
      return "ok";
  }
}

std::string letter_of(const Row& row, std::size_t column) { return {row.answers[2 * column]}; }

// The points of the present run, as the interceptors have reported them.
class Record {
 public:
  void begin(std::string operation, std::vector<Throw> throws, bool asks) {
    const std::lock_guard lock(mutex_);
    operation_ = std::move(operation);
    throws_ = std::move(throws);
    asks_ = asks;
    for (auto& side : points_) side.clear();
    kept_.clear();
  }
  void end() { begin({}, {}, false); }

  Thrown at(Side side, int interceptor, const std::string& point, const std::string& operation,
            const Ask& ask) {
    const std::lock_guard lock(mutex_);
    if (operation != operation_) return Thrown::nothing;
    Reached reached{.text = Point{.side = side, .interceptor = interceptor, .name = point}.text()};
    if (asks_ && interceptor == asking) {
      for (const Row& row : side == Side::client ? client_rows : server_rows)
        reached.answers.push_back(ask(row.member));
      kept_.emplace_back(side, ask);
    }
    points_[side == Side::server].push_back(std::move(reached));
    const auto found = std::ranges::find_if(throws_, [&](const Throw& one) {
      return one.side == side && one.interceptor == interceptor && one.point == point;
    });
    if (found == throws_.end()) return Thrown::nothing;
    const Thrown what = found->what;
    throws_.erase(found);
    return what;
  }

  Words texts(Side side) {
    const std::lock_guard lock(mutex_);
    Words texts;
    for (const Reached& one : points_[side == Side::server]) texts.push_back(one.text);
    return texts;
  }
  // Compares the answers with what the rows say of the expected points, which are those that were reached.
  void expect_answers(const Model& model, Side side) {
    const std::lock_guard lock(mutex_);
    const bool client = side == Side::client;
    const std::vector<Row>& table = client ? client_rows : server_rows;
    const Words& columns = client ? client_points : server_points;
    std::string same, before;
    auto reached = points_[!client].begin();
    for (const Point& point : model.points) {
      if (point.side != side) continue;
      const Words& answers = (reached++)->answers;
      if (answers.empty()) continue;
      const auto column = static_cast<std::size_t>(std::ranges::find(columns, point.name) - columns.begin());
      if (point.starts) {
        before = std::exchange(same, answers.front());
        EXPECT_NE(same, before) << point.text() << ": " << table.front().member;
      }
      for (std::size_t i = 0; i != table.size(); ++i) {
        const std::string expected = expected_answer(letter_of(table[i], column), point, operation_, same);
        if (expected == "*") continue;
        EXPECT_EQ(answers[i], expected) << point.text() << ": " << table[i].member;
      }
    }
  }
  // No member can be used after the point.
  void expect_ended() {
    const std::lock_guard lock(mutex_);
    for (const auto& [side, ask] : kept_)
      for (const Row& row : side == Side::client ? client_rows : server_rows)
        EXPECT_EQ(ask(row.member), "BAD_INV_ORDER 14") << "after the point: " << row.member;
  }

 private:
  struct Reached {
    std::string text;
    Words answers = {};
  };
  std::mutex mutex_;
  std::string operation_;
  std::vector<Throw> throws_;
  bool asks_ = false;
  std::vector<Reached> points_[2];
  std::vector<std::pair<Side, Ask>> kept_;
};
Record& record() {
  static Record record;
  return record;
}

Peer& peer() {
  static Peer peer;
  return peer;
}
Peer::Answers answers_of(const Call& call) {
  switch (call.outcome) {
    case Outcome::closed:
      return Peer::Answers::closes;
    case Outcome::readdressed:
      return Peer::Answers::readdresses;
    case Outcome::moved:
      return Peer::Answers::moves;
    default:
      return Peer::Answers::loses;
  }
}

// An asynchronous call may first be sent over the connection of the call before, whose end has not been
// noticed everywhere: what was not sent is sent again.
Model model_of(const Call& call, const std::vector<Throw>& throws) {
  constexpr int most = 4;
  int more = 0;
  if (call.form == Form::asynchronous && call.outcome >= Outcome::closed)
    while (more < most && record().texts(Side::client) != Model(call, throws, more).texts(Side::client))
      ++more;
  return Model(call, throws, more < most ? more : 0);
}

// One call, unless what was to be thrown is at no point of it.
void run_one(Mapping& mapping, const Call& call, const std::vector<Throw>& throws) {
  if (!Model(call, throws).all_thrown()) return;
  std::string name = name_of(call);
  for (const Throw& one : throws)
    name += ", " + Point{.side = one.side, .interceptor = one.interceptor, .name = one.point}.text() +
            " throws " + thrown_names[static_cast<std::size_t>(one.what)];
  SCOPED_TRACE(name);
  const bool asks = throws.size() < 2 && (throws.empty() || throws[0].interceptor == asking);
  if (call.outcome >= Outcome::closed) peer().begin(answers_of(call), mapping.refuge());
  record().begin(mapping.operation(call.outcome), throws, asks);
  const std::string outcome = mapping.make(call);
  const Model model = model_of(call, throws);
  EXPECT_EQ(outcome, model.outcome);
  for (const Side side : {Side::client, Side::server}) {
    const Words texts = record().texts(side);
    EXPECT_EQ(texts, model.texts(side));
    if (texts == model.texts(side)) record().expect_answers(model, side);
  }
  if (throws.empty()) record().expect_ended();
  record().end();
}

void run_each_throw(const std::function<void(const Throw&)>& action) {
  for (const Side side : {Side::client, Side::server})
    for (const std::string& point : side == Side::client ? client_points : server_points)
      for (int i = 0; i < interceptors; ++i)
        for (const Thrown what : all_thrown) {
          if (testing::Test::HasFailure()) return;  // one row says enough
          action({side, i, point, what});
        }
}

}  // namespace

std::string name_of(const Call& call) {
  static const std::array<const char*, 2> roads{"over a connection", "within the process"};
  static const std::array<const char*, 4> forms{"stub", "dynamic request", "deferred request",
                                                "asynchronous call"};
  static const std::array<const char*, 2> servants{"skeleton", "dynamic servant"};
  static const std::array<const char*, 10> outcomes{
      "reply",     "user exception",  "system exception", "oneway",         "forward",
      "no object", "closed in order", "readdressed",      "moved for good", "connection lost"};
  return std::string(forms[static_cast<std::size_t>(call.form)]) + " " +
         roads[static_cast<std::size_t>(call.road)] + " to a " +
         servants[static_cast<std::size_t>(call.servant)] + ": " +
         outcomes[static_cast<std::size_t>(call.outcome)];
}

std::string peer_of(const Call& call) {
  return call.outcome >= Outcome::closed ? peer().reference() : std::string();
}

Thrown at(Side side, int interceptor, const std::string& point, const std::string& operation,
          const Ask& ask) {
  return record().at(side, interceptor, point, operation, ask);
}

// Each call, each thing that each interceptor throws at each point; of stubs also each two.
void run_requests(Mapping& mapping, Road road) {
  for (const Form form : {Form::stub, Form::dynamic, Form::deferred, Form::asynchronous})
    for (const Servant servant : {Servant::skeleton, Servant::dynamic})
      for (const Outcome outcome : {Outcome::reply, Outcome::user_exception, Outcome::system_exception,
                                    Outcome::oneway, Outcome::forward, Outcome::absent, Outcome::closed,
                                    Outcome::readdressed, Outcome::moved, Outcome::lost}) {
        const Call call{road, form, servant, outcome};
        const bool later = form == Form::deferred || form == Form::asynchronous;
        if (outcome == Outcome::oneway && later) continue;
        if (outcome >= Outcome::closed && road == Road::process) continue;
        if (servant == Servant::dynamic && outcome >= Outcome::forward)
          continue;  // the servant is not reached
        run_one(mapping, call, {});
        run_each_throw([&](const Throw& one) {
          run_one(mapping, call, {one});
          if (form != Form::stub || servant != Servant::skeleton || one.interceptor != 2) return;
          for (const Thrown what : {Thrown::system_exception, Thrown::forward})
            for (const std::string& point : one.side == Side::client ? client_points : server_points)
              if (one.what == Thrown::system_exception || one.what == Thrown::forward)
                run_one(mapping, call, {one, {one.side, 0, point, what}});
        });
        if (testing::Test::HasFailure()) return;
      }
}

namespace {

// The present run of the references' interceptor.
struct IorScript {
  int reached[2] = {0, 0};
  std::optional<IorPoint> throws_at;
  Thrown what{};
  Ask kept;
  bool active = false;
};
IorScript& ior_script() {
  static IorScript script;
  return script;
}

}  // namespace

Thrown at(IorPoint point, const Ask& ask) {
  IorScript& script = ior_script();
  if (!script.active) return Thrown::nothing;
  const auto column = static_cast<std::size_t>(point);
  ++script.reached[column];
  for (const Row& row : ior_rows)
    EXPECT_EQ(ask(row.member), expected_answer(letter_of(row, column), {}, {}, {}))
        << (column == 0 ? "establish_components: " : "components_established: ") << row.member;
  script.kept = ask;
  return script.throws_at == point ? script.what : Thrown::nothing;
}

void run_references(const CreateAdapter& create) {
  IorScript& script = ior_script();
  for (const auto point : {IorPoint::establish_components, IorPoint::components_established})
    for (const Thrown what :
         {Thrown::nothing, Thrown::system_exception, Thrown::user_exception, Thrown::number}) {
      SCOPED_TRACE("point " + std::to_string(static_cast<int>(point)) + " throws " +
                   thrown_names[static_cast<std::size_t>(what)]);
      script = {.throws_at = point, .what = what, .kept = {}, .active = true};
      const bool fails = point == IorPoint::components_established && what != Thrown::nothing;
      EXPECT_EQ(create(), fails ? "OBJ_ADAPTER 6" : "ok");
      EXPECT_EQ(script.reached[0], 1);
      EXPECT_EQ(script.reached[1], 1);
      ASSERT_TRUE(script.kept);
      for (const Row& row : ior_rows)
        EXPECT_EQ(script.kept(row.member), "OBJECT_NOT_EXIST 0") << "after the points: " << row.member;
    }
  script = {};
}

}  // namespace rows
