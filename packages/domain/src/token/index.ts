export { authenticateToken } from "./authenticate";
export { type Claimed, claimRequest, forgetRequest, keepResponse } from "./claim-request";
export { type Allowance, countRequest } from "./count-request";
export { createToken } from "./create";
export { listTokens } from "./list";
export { revokeToken } from "./revoke";
export { revokeOwnToken } from "./revoke-own";
