import { createDescribedReport, describeReport, describeReports, revokeReportBySlug } from "@rigmark/domain";
import { listOf, PageQuery, ReportBrief, ReportRequest } from "@rigmark/results/public";
import { route } from "../route";
import { InWorkspace, OfReport } from "./params";

export const reports = [
  route({
    name: "listReports",
    method: "GET",
    path: "/workspaces/{workspace}/reports",
    tag: "Reports",
    scope: "read",
    summary: "List reports",
    description: "Newest first, revoked and expired ones too.",
    params: InWorkspace,
    query: PageQuery,
    status: 200,
    response: listOf(ReportBrief).meta({ id: "ReportList" }),
    handle: ({ ctx, params, query }) => describeReports({ ctx, input: { ...params, ...query } }),
  }),
  route({
    name: "createReport",
    method: "POST",
    path: "/workspaces/{workspace}/reports",
    tag: "Reports",
    scope: "queue",
    summary: "Make a report",
    description:
      "A frozen copy of runs. Whoever has its address can read it, unless `visibility` is `private`. The name of the host is left out.",
    params: InWorkspace,
    body: ReportRequest,
    status: 201,
    response: ReportBrief,
    handle: ({ ctx, params, body }) =>
      createDescribedReport({
        ctx,
        input: {
          ...params,
          runIds: body.run_ids,
          title: body.title ?? null,
          visibility: body.visibility,
          expiresInDays: body.expires_in_days,
        },
      }),
  }),
  route({
    name: "getReport",
    method: "GET",
    path: "/reports/{slug}",
    tag: "Reports",
    scope: "read",
    summary: "Get a report's addresses",
    params: OfReport,
    status: 200,
    response: ReportBrief,
    handle: ({ ctx, params }) => describeReport({ ctx, input: params }),
  }),
  route({
    name: "revokeReport",
    method: "DELETE",
    path: "/reports/{slug}",
    tag: "Reports",
    scope: "queue",
    summary: "Revoke a report",
    description: "Its address stops working within a second, for everybody and permanently.",
    params: OfReport,
    status: 204,
    response: null,
    handle: ({ ctx, params }) => revokeReportBySlug({ ctx, input: params }),
  }),
];
