// Servants that read sequences where they arrived (@view).
#include <gtest/gtest.h>

#include <takt/adapter/direct.h>
#include <condition_variable>
#include <mutex>
#include <numeric>

#include "../../parameter_name.h"
#include "all_viewsS.h"
#include "orbs.h"
#include "viewsS.h"

namespace feature {

using CameraRef = IDL::traits<Views::Camera>::ref_type;

template <class T>
std::vector<T> copied(std::span<const T> view) {
  return {view.begin(), view.end()};
}

class Camera final : public virtual CORBA::servant_traits<Views::Camera>::base_type {
 public:
  uint32_t sum_of(std::span<const int32_t> values) override {
    return static_cast<uint32_t>(std::accumulate(values.begin(), values.end(), 0));
  }
  uint32_t frame(uint32_t number, std::span<const uint8_t> pixels, const std::string& name,
                 std::span<const double> scale) override {
    if (before) before->frame(number, pixels, name, scale);
    numbers = scale.empty() ? 0 : scale.back();
    label = name;
    arrived_in = pixels.data();
    if (takes) kept = takt::take_argument(pixels);
    seen = copied(pixels);
    return number + static_cast<uint32_t>(pixels.size());
  }
  void note(std::span<const uint8_t> pixels) override {
    const std::lock_guard lock(mutex);
    noted = copied(pixels);
    changed.notify_all();
  }
  Views::Octets turned(Views::Octets& pixels, const ::Calls::Points& points, Views::Octets& copy) override {
    copy = pixels;
    pixels.resize(points.size());
    return {7};
  }
  Views::Octets last() override { return kept; }
  void last(const Views::Octets& value) override { kept = value; }
  double mean(std::span<const double> values) override {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  }
  uint32_t count(std::span<const uint8_t> samples, const Views::Few& again) override {
    return static_cast<uint32_t>(100 * samples.size() + again.size());
  }

  bool takes = false;
  const uint8_t* arrived_in = nullptr;
  Views::Octets kept, seen, noted;
  std::string label;
  double numbers = 0;
  CameraRef before;  // also gets the arguments, before
  std::mutex mutex;
  std::condition_variable changed;
};

class Sink final : public virtual CORBA::servant_traits<AllViews::Sink>::base_type {
 public:
  uint32_t take(std::span<const uint8_t> octets, std::span<const int16_t> numbers,
                const AllViews::Strings& texts) override {
    return static_cast<uint32_t>(octets.size() + numbers.size() + texts.size());
  }
};

class ViewCalls : public testing::TestWithParam<const char*> {
 protected:
  ServerAndClient orbs{{"-ORBServerConcurrency", GetParam()}};
  CORBA::servant_reference<Camera> camera = CORBA::make_reference<Camera>();
  CameraRef remote = orbs.publish<Views::Camera>(camera);
  const Views::Doubles scale{1, 2, 4};

  static Views::Octets octets(std::size_t count) {
    Views::Octets made(count);
    std::iota(made.begin(), made.end(), uint8_t{1});
    return made;
  }
};

// Some arguments have arrived completely when the upcall begins, others have not.
TEST_P(ViewCalls, ShowWhatWasSentOfAnyLength) {
  for (const std::size_t count : {0u, 1u, 100u, 5'000u, 33'000u, 100'000u, 1'000'000u, 3'000'000u, 10u}) {
    const auto pixels = octets(count);
    EXPECT_EQ(remote->frame(7, pixels, "a name", scale), 7 + count);
    EXPECT_EQ(camera->seen, pixels);
    EXPECT_EQ(camera->label, "a name");
    EXPECT_EQ(camera->numbers, 4);
  }
}

TEST_P(ViewCalls, AreMadeOfAnyMemory) {
  const uint8_t pixels[] = {1, 2, 3};
  remote->frame(1, pixels, "", {});
  EXPECT_EQ(camera->seen, (Views::Octets{1, 2, 3}));
  remote->frame(1, std::span(pixels).subspan(1, 1), "", {});
  EXPECT_EQ(camera->seen, Views::Octets{2});
}

TEST_P(ViewCalls, OfInheritedOperationsAndOneways) {
  EXPECT_EQ(remote->sum_of(Views::Longs{1, 2, 3}), 6u);
  EXPECT_EQ(remote->mean(Views::Doubles{1, 2, 3}), 2.0);
  const auto pixels = octets(50'000);
  remote->note(pixels);
  std::unique_lock lock(camera->mutex);
  EXPECT_TRUE(
      camera->changed.wait_for(lock, std::chrono::seconds(30), [&] { return !camera->noted.empty(); }));
  EXPECT_EQ(camera->noted, pixels);
}

TEST_P(ViewCalls, LeaveOtherParametersAsTheyAre) {
  Views::Octets pixels{1, 2, 3}, copy;
  EXPECT_EQ(remote->turned(pixels, {{1, 2, "x"}}, copy), Views::Octets{7});
  EXPECT_EQ(copy, (Views::Octets{1, 2, 3}));
  EXPECT_EQ(pixels.size(), 1u);
  remote->last(copy);
  EXPECT_EQ(remote->last(), copy);
}

TEST_P(ViewCalls, HoldTheirBounds) {
  EXPECT_EQ(remote->count(Views::Few(8), Views::Few(3)), 803u);
  EXPECT_THROW(remote->count(Views::Few(9), {}), CORBA::BAD_PARAM);
  EXPECT_EQ(remote->count(Views::Few(1), {}), 100u);
}

TEST_P(ViewCalls, TakenAreMovedOnlyWhereTheyAreNotInTheRequest) {
  camera->takes = true;
  const bool goes_straight = GetParam() == std::string_view("thread-per-connection");
  for (const std::size_t count : {2'000u, 100'000u, 2'000u, 100'000u}) {
    const auto pixels = octets(count);
    remote->frame(1, pixels, "", scale);
    EXPECT_EQ(camera->kept, pixels);
    EXPECT_EQ(camera->kept.data() == camera->arrived_in, goes_straight && count > 32 * 1024) << count;
  }
}

TEST_P(ViewCalls, OfALocalCallerAreOfItsOwnMemory) {
  const CameraRef local = camera->_this();
  camera->takes = true;
  const auto pixels = octets(100'000);
  local->frame(1, pixels, "", scale);
  EXPECT_EQ(camera->arrived_in, pixels.data());
  EXPECT_EQ(camera->kept, pixels);
  EXPECT_EQ(local->sum_of(Views::Longs{1, 2}), 3u);
  const takt::Direct<Views::Camera> direct(local);
  direct->frame(1, pixels, "", scale);
  EXPECT_EQ(camera->arrived_in, pixels.data());
  EXPECT_EQ(pixels, octets(100'000)) << "a caller's own are not taken";
}

TEST_P(ViewCalls, PassedOnAreNotTakenFromUnderTheCaller) {
  const auto first = CORBA::make_reference<Camera>();
  orbs.publish<Views::Camera>(first);
  camera->before = first->_this();
  first->takes = camera->takes = true;
  const auto pixels = octets(100'000);
  remote->frame(1, pixels, "", scale);
  EXPECT_EQ(first->kept, pixels);
  EXPECT_EQ(camera->seen, pixels);
  EXPECT_EQ(camera->kept, pixels);
  camera->before = nullptr;
}

TEST_P(ViewCalls, OfIdlWithoutTheAnnotation) {
  const auto sink = orbs.publish<AllViews::Sink>(CORBA::make_reference<Sink>());
  EXPECT_EQ(sink->take(AllViews::Octets(5), AllViews::Shorts(6), AllViews::Strings(7)), 18u);
}

INSTANTIATE_TEST_SUITE_P(Each, ViewCalls, testing::ValuesIn(server_concurrencies),
                         takt::test::without_hyphens);

// Arguments from a client with the other byte order.
TEST(ViewsOfTheOtherOrder, AreOfNumbersInOurs) {
  const auto camera = CORBA::make_reference<Camera>();
  takt::cdr::Format format;
  format.order = takt::cdr::native_order == takt::cdr::ByteOrder::little ? takt::cdr::ByteOrder::big
                                                                         : takt::cdr::ByteOrder::little;
  takt::GatherBuffer request(64), reply(64);
  takt::cdr::Encoder out(request, format);
  out.put(uint32_t{5});
  takt::cdr::write(out, Views::Octets{1, 2, 3});
  out.put_string("name");
  takt::cdr::write(out, Views::Doubles{1.5, -2.5});
  takt::server::ServerCall call({.object_key = {}, .operation = "frame"},
                                {request.owned(), request.owned_size()}, 0, format, reply);
  ASSERT_TRUE(camera->_dispatch(call));
  EXPECT_TRUE(call.answered() && !call.answer_failed());
  EXPECT_EQ(camera->seen, (Views::Octets{1, 2, 3}));
  EXPECT_EQ(camera->arrived_in, request.owned() + 8);
  EXPECT_EQ(camera->label, "name");
  EXPECT_EQ(camera->numbers, -2.5);
}

}  // namespace feature
