import { cancelRunById, describeRun, describeRuns, queueNamedRun } from "@rigmark/domain";
import { listOf, RunBrief, RunFilter, RunRequest } from "@rigmark/results/public";
import { z } from "zod";
import { route } from "../route";
import { InWorkspace, OfRun } from "./params";

/** A request is held no longer than this. */
const MOST_WAIT_S = 25;

export const runs = [
  route({
    name: "listRuns",
    method: "GET",
    path: "/workspaces/{workspace}/runs",
    tag: "Runs",
    scope: "read",
    summary: "List runs",
    description: "Newest first. Filters are combined: a run has to match all of them.",
    params: InWorkspace,
    query: RunFilter,
    status: 200,
    response: listOf(RunBrief).meta({ id: "RunList" }),
    handle: ({ ctx, params, query }) => describeRuns({ ctx, input: { ...params, ...query } }),
  }),
  route({
    name: "queueRun",
    method: "POST",
    path: "/workspaces/{workspace}/runs",
    tag: "Runs",
    scope: "queue",
    summary: "Queue a run",
    description:
      "The host takes it as soon as it is idle. A run that the host cannot do is refused at once, with the reason.",
    params: InWorkspace,
    body: RunRequest,
    status: 201,
    response: RunBrief,
    handle: ({ ctx, params, body }) => queueNamedRun({ ctx, input: { ...params, ...body } }),
  }),
  route({
    name: "getRun",
    method: "GET",
    path: "/runs/{run}",
    tag: "Runs",
    scope: "read",
    summary: "Get a run, or wait for it",
    description:
      "With `wait_s`, the response comes as soon as the run is over and has its verdict, or after that many seconds. Repeat the request until `ended_at` is set.",
    params: OfRun,
    query: z.object({
      wait_s: z.coerce.number().min(0).max(MOST_WAIT_S).default(0).describe("Seconds to wait for the end."),
    }),
    status: 200,
    response: RunBrief,
    handle: ({ ctx, params, query }) =>
      describeRun({ ctx, input: { runId: params.run, waitS: query.wait_s } }),
  }),
  route({
    name: "cancelRun",
    method: "POST",
    path: "/runs/{run}/cancel",
    tag: "Runs",
    scope: "queue",
    summary: "Cancel a run",
    description: "A run that is over stays as it is.",
    params: OfRun,
    status: 202,
    response: RunBrief,
    handle: ({ ctx, params }) => cancelRunById({ ctx, input: { runId: params.run } }),
  }),
];
