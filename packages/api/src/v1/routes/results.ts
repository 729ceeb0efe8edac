import {
  describeJournal,
  describeResults,
  describeSamples,
  describeTrials,
  listSeries,
} from "@rigmark/domain";
import {
  listOf,
  PageQuery,
  RunResults,
  Samples,
  SamplesQuery,
  SeriesItem,
  SeriesQuery,
  TrialBrief,
} from "@rigmark/results/public";
import { z } from "zod";
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
    name: "getJournal",
    method: "GET",
    path: "/runs/{run}/journal",
    tag: "Results",
    scope: "read",
    summary: "Get the records of a run",
    description:
      "Every record as the agent wrote it, one a line of JSON: the lines of a file of `rigmark run --out`, without the tools' raw output. Pages hold as many as fit.",
    params: OfRun,
    query: PageQuery.pick({ cursor: true }),
    status: 200,
    response: listOf(z.string().describe("A record as JSON.")).meta({ id: "Journal" }),
    handle: ({ ctx, params, query }) => describeJournal({ ctx, input: { runId: params.run, ...query } }),
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
