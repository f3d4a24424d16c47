// A client of devices with omniORB's stubs: CAMERA SCREEN [-ORB...]. Binds the devices, changes the frame
// rate, and ends the stream when it reads a line. Says what the devices have granted and refused.
#include <omniORB4/CORBA.h>
#include <AVStreams.hh>
#include <CosPropertyService.hh>

#include <iostream>
#include <string>

namespace {

AVStreams::streamQoS quality_of(double frame_rate, double least) {
  AVStreams::streamQoS quality;
  quality.length(1);
  quality[0].QoSType = "video";
  quality[0].QoSParams.length(2);
  quality[0].QoSParams[0].property_name = "frame_rate";
  quality[0].QoSParams[0].property_value <<= frame_rate;
  quality[0].QoSParams[1].property_name = "frame_rate_min";
  quality[0].QoSParams[1].property_value <<= least;
  return quality;
}

AVStreams::flowSpec flows_of(const char* flow) {
  AVStreams::flowSpec flows;
  flows.length(1);
  flows[0] = flow;
  return flows;
}

double rate_in(const AVStreams::streamQoS& quality) {
  CORBA::Double rate = 0;
  quality[0].QoSParams[0].property_value >>= rate;
  return rate;
}

void run(AVStreams::MMDevice_ptr camera, AVStreams::MMDevice_ptr screen) {
  const CORBA::Any_var names = camera->get_property_value("Flows");
  std::cout << (names->type()->kind() == CORBA::tk_sequence ? "a list of flows\n" : "no list of flows\n");
  CORBA::Boolean met = false;
  try {
    AVStreams::streamQoS quality = quality_of(20, 0);
    camera->bind(screen, quality, met, flows_of("sound"));
  } catch (const AVStreams::noSuchFlow&) {
    std::cout << "no such flow\n";
  }
  AVStreams::streamQoS quality = quality_of(40, 10);
  const AVStreams::StreamCtrl_var control = camera->bind(screen, quality, met, flows_of("video"));
  std::cout << "bound at " << rate_in(quality) << (met ? "" : ", which is less") << '\n';
  control->start(AVStreams::flowSpec());
  quality = quality_of(20, 10);
  const bool changed = control->modify_QoS(quality, flows_of("video"));
  std::cout << "changed to " << rate_in(quality) << (changed ? "" : ", which is less") << '\n';
  try {
    quality = quality_of(500, 400);
    control->modify_QoS(quality, flows_of("video"));
  } catch (const AVStreams::QoSRequestFailed& refused) {
    std::cout << "refused: " << refused.reason.in() << '\n';
  }
  AVStreams::StreamEndPoint_var end_point;
  const AVStreams::VDev_var device = control->get_related_vdev(screen, end_point.out());
  try {
    const CORBA::Object_var object = end_point->get_fep("video");
    const AVStreams::FlowConsumer_var flow = AVStreams::FlowConsumer::_narrow(object);
    std::cout << (CORBA::is_nil(flow) ? "no consumer" : "the consumer of a flow") << std::endl;
  } catch (const AVStreams::notSupported&) {
    std::cout << "no flow end points" << std::endl;
  }
  std::string line;
  std::getline(std::cin, line);
  control->destroy(AVStreams::flowSpec());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 3) return 2;
    const CORBA::Object_var first = orb->string_to_object(argv[1]), second = orb->string_to_object(argv[2]);
    const AVStreams::MMDevice_var camera = AVStreams::MMDevice::_narrow(first);
    const AVStreams::MMDevice_var screen = AVStreams::MMDevice::_narrow(second);
    run(camera, screen);
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& failure) {
    std::cerr << "interop_omniorb_streams: " << failure._name() << '\n';
    return 1;
  }
}
