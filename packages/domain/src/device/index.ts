export { type Collected, collectDevice } from "./collect";
export { approveDevice, denyDevice } from "./decide";
export { getDevice } from "./get";
export { type DeviceStarted, startDevice } from "./start";
