export { me } from "./me";
export { onSignUp } from "./on-sign-up";
