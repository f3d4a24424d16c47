// One end of a stream, with its flows: what the servants of an end point and of its virtual device do.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "AVStreamsC.h"
#include "streams/flow/consumer_flow.h"
#include "streams/flow/producer_flow.h"
#include "streams/model/flow_entry.h"
#include "streams/model/quality.h"
#include "streams/service/parts.h"

namespace takt::streams {

enum class Side : std::uint8_t { a, b };

// One flow, for operators.
struct FlowView {
  std::string name = {}, format = {}, carrier = {};
  bool produces = false;
  FlowState state = FlowState::stopped;
  double frame_rate = 0;
  FlowCounts counts = {};
};

// Thread-safe. Throws the exceptions of AVStreams. No lock is held during calls to other objects, and none
// while a flow's thread ends. Reaching a consumer over a connection may take seconds. Meanwhile no other flow
// of the end point is connected or ended; all else goes on. It is large because it has the operations that
// AVStreams gives an end point.
class EndPoint {
 public:
  using Flows = AVStreams::flowSpec;
  using Quality = AVStreams::streamQoS;
  using EndPointRef = Ref<AVStreams::StreamEndPoint>;

  // The end point has those flows that the specification names, or all of the device. Lowers `quality` to
  // what the device grants. Throws noSuchFlow, streamOpFailed and QoSRequestFailed.
  EndPoint(Parts& parts, std::uint64_t number, Side side, Quality& quality, const Flows& flows);
  EndPoint(const EndPoint&) = delete;
  EndPoint& operator=(const EndPoint&) = delete;
  ~EndPoint();

  std::uint64_t number() const { return number_; }
  // Whether the quality was granted as it was asked for.
  bool met() const { return met_; }
  // The objects that servants have activated for this end point.
  void set_references(EndPointRef own, ObjectRef device);
  // Nil if it was made for one flow as an object.
  const EndPointRef& reference() const { return own_; }
  bool is_known_as(const ObjectRef& object) const {
    return object && ((own_ && own_->_is_equivalent(object)) || (device_ && device_->_is_equivalent(object)));
  }

  // Proposes flows to the responder, and connects those that it accepts. Blocks for that call.
  bool connect(const EndPointRef& responder, Quality& quality, const Flows& flows);
  // The responder's part: connects, and changes `flows` to what it answers. It leaves out flows that the end
  // point does not have.
  bool accept(const EndPointRef& initiator, Quality& quality, Flows& flows);
  // The producer's part of a stream to groups: begins to send those flows to their groups for which the
  // device has one, and changes their entries in `flows` to what consumers must know. Other entries stay; if
  // no flow was named, there are only entries of groups.
  bool send_to_groups(Quality& quality, Flows& flows);
  // The consumer's part: joins the groups that the entries name, and changes `flows` to what it has joined.
  // It leaves out flows that the end point does not have.
  bool join_groups(Quality& quality, Flows& flows);
  // These two connect one flow by an address, for the full profile: the consumer's part, which answers the
  // address and the protocol, and the producer's. `peer` is at the address. They throw as connect() does.
  FlowEntry receive_flow(std::string_view flow, Quality& quality);
  void send_flow(std::string_view flow, Quality& quality, const FlowEntry& to, const ObjectRef& peer);
  void disconnect(const Flows& flows);
  // Ends the flows to one consumer.
  void disconnect_from(const EndPointRef& peer, const Flows& flows);
  void start(const Flows& flows);
  void stop(const Flows& flows);
  bool modify(Quality& quality, const Flows& flows);
  void remove(const Flows& flows);
  // Ends it: all flows, and its objects.
  void end();
  void require(const Flows& flows);
  bool restrict_carriers(const AVStreams::protocolSpec& allowed);
  bool has_format(std::string_view flow, std::string_view format);
  // Whether it produces the flow, or would.
  bool produces(std::string_view flow);
  // The object of one of its flows, which ends with it. `make` makes it if there is none, and may be called
  // in vain.
  ObjectRef flow_object(std::string_view flow, const std::function<ObjectRef()>& make);

  std::vector<FlowView> look();
  // Not connected, or no frame has passed since `time`.
  bool unused_since(os::TimePoint time);
  // Octets of frames that its flows keep at most if it consumes all that the device can.
  std::size_t most_frame_bytes();
  // Whether it consumes a flow, so that it has taken memory for frames: one that is paused, or one that is
  // not.
  bool consumes(bool paused);

 private:
  struct Flow {
    const FlowOffer* offer;
    FlowQuality quality = {};
    bool produces = false;  // decided when it is connected, if the offer leaves it open
    Carrier carrier = {};
    std::optional<FrameStream> group = {};  // to which the flow goes or went: its number stays
    ProducerFlow::Consumer group_consumer = 0;
    std::unique_ptr<ProducerFlow> producer = {};
    std::unique_ptr<ConsumerFlow> consumer = {};
    bool goes_to_group() const { return group && producer && producer->has(group_consumer); }
    bool is_connected() const { return consumer || (producer && producer->consumers() != 0); }
    os::TimePoint last_frame() const { return producer ? producer->last_frame() : consumer->last_frame(); }
    FlowState state() const;
    double frame_rate() const;  // as it is produced, or as its consumer has agreed; 0: unknown, or unpaced
  };
  // A flow to one consumer of this end point.
  struct Peer {
    ObjectRef end_point;
    std::string flow;
    ProducerFlow::Consumer consumer;
  };
  struct Proposed {
    std::vector<std::string> names;
    Flows entries;
    bool met = true;  // whether this end point grants the quality
  };
  class Attempt;
  class Connecting;
  // Flows that end when the lock has been released.
  struct Ended {
    std::vector<std::unique_ptr<ProducerFlow>> producers;
    std::vector<std::unique_ptr<ConsumerFlow>> consumers;
    void take(Flow& flow) {
      producers.push_back(std::move(flow.producer));
      consumers.push_back(std::move(flow.consumer));
      flow.carrier = {};
    }
  };

  void check_size(const Flows& flows) const;
  Flow* find(std::string_view name);
  Flow& existing(std::string_view name);
  std::vector<Flow*> selected(const Flows& flows);
  // Gives the flow what is granted of the quality. If the attempt fails, the flow gets back what it had.
  bool grant(Quality& quality, Flow& flow, Attempt* attempt);
  bool produces_in(const Flow& flow, std::optional<Direction> direction) const;
  std::string carrier_of(const Flow& flow, std::string_view wanted) const;
  std::string carrier_of(const Flow& flow, const FlowEntry& wanted) const;
  bool may_use(const std::string& carrier) const;
  Proposed proposals(Quality& quality, const Flows& flows, Attempt& attempt);
  FlowEntry proposal(Flow& flow, const FlowEntry& wanted, Attempt& attempt);
  FlowEntry answer(Flow& flow, const FlowEntry& proposed, const EndPointRef& initiator, Attempt& attempt,
                   std::unique_lock<std::mutex>& lock);
  FrameOptions receiving(const Flow& flow) const;
  // The memory that such a receiver may need. streamOpFailed if the device has not as much left.
  std::shared_ptr<const void> memory_for(const Flow& flow, const FrameOptions& options) const;
  void consume(Flow& flow, std::unique_ptr<FrameInput> receiver, std::shared_ptr<const void> memory,
               Attempt& attempt) const;
  FlowEntry listen(Flow& flow, const FlowEntry& entry, Attempt& attempt);
  void join(Flow& flow, const FlowEntry& entry, Attempt& attempt);
  void send_to_group(Flow& flow, Attempt& attempt, std::unique_lock<std::mutex>& lock);
  bool wants_group(const Flow& flow, const FlowEntry& wanted) const;
  static void require_group(const Flow& flow, const FlowEntry& wanted);
  static void require_joinable(const FlowOffer& offer, const FlowEntry& entry);
  void begin_sending(Flow& flow, const FrameStream& to, const FlowProtocol& protocol, const ObjectRef& peer,
                     Attempt& attempt, std::unique_lock<std::mutex>& lock);
  void send_to(Flow& flow, const FlowEntry& entry, const ObjectRef& peer, Attempt& attempt,
               std::unique_lock<std::mutex>& lock);
  bool would_send(const Flows& flows);
  void require_answer(const ObjectRef& peer) const;
  void check_address(const Carrier& carrier, const ObjectRef& peer) const;
  void finish(const EndPointRef& responder, const Proposed& proposed, bool explicitly, Attempt& attempt);
  void undo(const Attempt& attempt);
  void note_refusal() { parts_.refusals.fetch_add(1, std::memory_order_relaxed); }
  void drop_peers(Ended& ended, const std::function<bool(const Peer&)>& chosen);
  void drop_departed();

  Parts& parts_;
  const std::uint64_t number_;
  const Side side_;
  bool met_ = true;
  EndPointRef own_;
  ObjectRef device_;

  std::mutex changes_;  // one change of connections at a time; locked before the other
  std::mutex mutex_;    // guards what follows
  std::vector<Flow> flows_;
  std::vector<Peer> peers_;
  std::map<std::string, ObjectRef, std::less<>> flow_objects_;
  std::vector<std::string> allowed_carriers_;  // empty: all that are offered
  ProducerFlow::Consumer last_consumer_ = 0;
  bool connecting_ = false;
};

}  // namespace takt::streams
