export { countTry } from "./count-try";
export { forgetResets } from "./forget-resets";
export { me } from "./me";
export { onSignUp } from "./on-sign-up";
export { personImage, personName } from "./person";
export { requireSignUp } from "./require-sign-up";
