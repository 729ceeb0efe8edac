export { countTry } from "./count-try";
export { describeToken } from "./describe-token";
export { ensureOwnWorkspace } from "./ensure-own-workspace";
export { forgetResets } from "./forget-resets";
export { getAccount } from "./get";
export { cleanPersonImage, cleanPersonName } from "./internal/person";
export { requireSignUp } from "./require-sign-up";
