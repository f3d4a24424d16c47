#include "streams/service/end_point_servant.h"

namespace takt::streams {

bool VirtualDeviceServant::set_peer(Ref<ControlStub>, Ref<VirtualDeviceStub>, Quality& quality,
                                    const Flows& flows) {
  return end_point_->modify(quality, flows);
}

void VirtualDeviceServant::configure(const CosPropertyService::Property& message) {
  if (!parts_.configure || !parts_.configure(message)) throw AVStreams::PropertyException();
}

void VirtualDeviceServant::set_format(const std::string& flow, const std::string& format) {
  if (!end_point_->has_format(flow, format)) throw AVStreams::notSupported();
}

void VirtualDeviceServant::set_dev_params(const std::string& flow,
                                          const CosPropertyService::Properties& params) {
  Quality quality{{flow, params}};
  try {
    end_point_->modify(quality, {flow});
  } catch (const AVStreams::noSuchFlow&) {
    throw AVStreams::streamOpFailed("there is no flow " + flow);
  } catch (const AVStreams::QoSRequestFailed&) {
    throw AVStreams::PropertyException();
  }
}

}  // namespace takt::streams
