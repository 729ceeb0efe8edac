import {
  describeResults,
  describeSamples,
  describeSnapshot,
  describeTrials,
  listSeries,
} from "@rigmark/domain";
import {
  listOf,
  PageQuery,
  RunResults,
  RunSnapshot,
  Samples,
  SamplesQuery,
  SeriesItem,
  SeriesQuery,
  TrialBrief,
} from "@rigmark/results/public";
import { route } from "../route";
import { InWorkspace, OfRun, OfTrial } from "./params";

export const results = [
  route({
    name: "getResults",
    method: "GET",
    path: "/runs/{run}/results",
    tag: "Results",
    scope: "read",
    summary: "Get the results of a run",
    description:
      "What the run's page shows of each scenario: figures, ratios, intervals, verdicts and sentences.",
    params: OfRun,
    status: 200,
    response: RunResults,
    handle: ({ ctx, params }) => describeResults({ ctx, input: { runId: params.run } }),
  }),
  route({
    name: "getSnapshot",
    method: "GET",
    path: "/runs/{run}/snapshot",
    tag: "Results",
    scope: "read",
    summary: "Get a run as a report has it",
    description:
      "The fields of a run in the JSON of a report, without samples and latency curves, and without making a report.",
    params: OfRun,
    status: 200,
    response: RunSnapshot,
    handle: ({ ctx, params }) => describeSnapshot({ ctx, input: { runId: params.run } }),
  }),
  route({
    name: "listTrials",
    method: "GET",
    path: "/runs/{run}/trials",
    tag: "Results",
    scope: "read",
    summary: "List the trials of a run",
    description: "In the order of the plan, invalid ones too.",
    params: OfRun,
    query: PageQuery,
    status: 200,
    response: listOf(TrialBrief).meta({ id: "TrialList" }),
    handle: ({ ctx, params, query }) => describeTrials({ ctx, input: { runId: params.run, ...query } }),
  }),
  route({
    name: "getSamples",
    method: "GET",
    path: "/runs/{run}/trials/{trial}/samples",
    tag: "Results",
    scope: "read",
    summary: "Get the samples of a trial",
    params: OfTrial,
    query: SamplesQuery,
    status: 200,
    response: Samples,
    handle: ({ ctx, params, query }) =>
      describeSamples({ ctx, input: { runId: params.run, trialId: params.trial, points: query.points } }),
  }),
  route({
    name: "listSeries",
    method: "GET",
    path: "/workspaces/{workspace}/series",
    tag: "Results",
    scope: "read",
    summary: "Follow one label over time",
    description:
      "What was found of one label under one scenario, the newest run first. Ratios are to the baseline of their own run.",
    params: InWorkspace,
    query: SeriesQuery,
    status: 200,
    response: listOf(SeriesItem).meta({ id: "SeriesList" }),
    handle: ({ ctx, params, query }) => listSeries({ ctx, input: { ...params, ...query } }),
  }),
];
