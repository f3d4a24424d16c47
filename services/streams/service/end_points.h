// The end points of a device, whose number is limited.
#pragma once

#include <memory>

#include "streams/service/end_point.h"

namespace takt::streams {

// Destroys the oldest end point that is unused if there are as many as there may be, and unused consumers if
// they keep memory that the frames of the new one need. Throws streamOpDenied if all are in use, and what
// EndPoint throws.
std::shared_ptr<EndPoint> made_end_point(Parts& parts, Side side, EndPoint::Quality& quality,
                                         const EndPoint::Flows& flows);
// Called when its objects have been set. Throws as made_end_point(), and the end point is destroyed then.
void keep_end_point(Parts& parts, const std::shared_ptr<EndPoint>& end_point);
// Throws notSupported if the device has not made it.
void destroy_end_point(Parts& parts, const ObjectRef& object);

}  // namespace takt::streams
