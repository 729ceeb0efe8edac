import { describeCatalogue, describeHost, describeHosts } from "@rigmark/domain";
import { Catalogue } from "@rigmark/protocol";
import { HostBrief, listOf, PageQuery } from "@rigmark/results/public";
import { route } from "../route";
import { InWorkspace, OfHost } from "./params";

export const hosts = [
  route({
    name: "listHosts",
    method: "GET",
    path: "/workspaces/{workspace}/hosts",
    tag: "Hosts",
    scope: "read",
    summary: "List hosts",
    description: "By name. Hosts that were removed are left out.",
    params: InWorkspace,
    query: PageQuery,
    status: 200,
    response: listOf(HostBrief).meta({ id: "HostList" }),
    handle: ({ ctx, params, query }) => describeHosts({ ctx, input: { ...params, ...query } }),
  }),
  route({
    name: "getHost",
    method: "GET",
    path: "/hosts/{host}",
    tag: "Hosts",
    scope: "read",
    summary: "Get a host",
    params: OfHost,
    status: 200,
    response: HostBrief,
    handle: ({ ctx, params }) => describeHost({ ctx, input: { hostId: params.host } }),
  }),
  route({
    name: "getCatalogue",
    method: "GET",
    path: "/hosts/{host}/catalogue",
    tag: "Hosts",
    scope: "read",
    summary: "Get a host's catalog",
    description: "Servers, scenarios, tools and suites that the host knows, and why some do not work there.",
    params: OfHost,
    status: 200,
    response: Catalogue.meta({ id: "Catalogue" }),
    handle: ({ ctx, params }) => describeCatalogue({ ctx, input: { hostId: params.host } }),
  }),
];
