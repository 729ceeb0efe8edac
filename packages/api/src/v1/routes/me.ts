import { describeToken, revokeOwnToken } from "@rigmark/domain";
import { Me } from "@rigmark/results/public";
import { route } from "../route";

export const me = [
  route({
    name: "getMe",
    method: "GET",
    path: "/me",
    tag: "Token",
    scope: "read",
    summary: "Get the token of this request",
    description: "Whose it is, what it may do, and in which workspaces.",
    status: 200,
    response: Me,
    handle: ({ ctx }) => describeToken({ ctx }),
  }),
  route({
    name: "revokeOwnToken",
    method: "DELETE",
    path: "/me/token",
    tag: "Token",
    scope: "read",
    summary: "Revoke the token of this request",
    description: "It is refused from its next request on.",
    status: 204,
    response: null,
    handle: ({ ctx }) => revokeOwnToken({ ctx }),
  }),
];
