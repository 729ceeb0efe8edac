import { createPublication, finishPublication, putPublicationChunk } from "@rigmark/domain";
import { Id, LIMITS, StreamName } from "@rigmark/protocol";
import {
  ChunkHeaders,
  ChunkTaken,
  Publication,
  PublicationEnd,
  PublicationHead,
} from "@rigmark/results/public";
import { z } from "zod";
import { route } from "../route";
import { InWorkspace } from "./params";

/** Facts of a machine may hold all of doctor's checks. */
const HEAD_BYTES = 512 * 1024;

const OfPublication = InWorkspace.extend({ publication: Id.describe("Id of the run, as in its file.") });
const OfChunk = OfPublication.extend({
  stream: StreamName,
  seq: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .describe("Number of the chunk within its stream, from 0."),
});

/** Runs that were made elsewhere. `rigmark publish` sends a file in this way. */
export const publications = [
  route({
    name: "createPublication",
    method: "POST",
    path: "/workspaces/{workspace}/publications",
    tag: "Publications",
    scope: "publish",
    summary: "Begin or resume publishing a file",
    description:
      "The run keeps its id from the file, so the same file is always the same run. For each stream, continue with chunk `next_seq`.",
    params: InWorkspace,
    body: PublicationHead,
    bodyBytes: HEAD_BYTES,
    status: 200,
    response: Publication,
    handle: ({ ctx, params, body }) => createPublication({ ctx, input: { ...params, ...body } }),
  }),
  route({
    name: "putPublicationChunk",
    method: "PUT",
    path: "/workspaces/{workspace}/publications/{publication}/streams/{stream}/chunks/{seq}",
    tag: "Publications",
    scope: "publish",
    summary: "Send a chunk of the file",
    description:
      "Whole lines of one stream: at most 256 KiB before compression, sent as gzip. A chunk that is already stored is accepted again. A chunk that comes too early is refused; the error has `next_seq`.",
    params: OfChunk,
    headers: ChunkHeaders,
    bytes: "application/gzip",
    bodyBytes: LIMITS.chunk_bytes,
    status: 200,
    response: ChunkTaken,
    handle: ({ ctx, params, headers, bytes }) =>
      putPublicationChunk({
        ctx,
        input: {
          workspace: params.workspace,
          runId: params.publication,
          stream: params.stream,
          seq: params.seq,
          sha256: headers["x-rigmark-sha256"],
          records: headers["x-rigmark-records"],
          body: bytes,
        },
      }),
  }),
  route({
    name: "finishPublication",
    method: "POST",
    path: "/workspaces/{workspace}/publications/{publication}/finish",
    tag: "Publications",
    scope: "publish",
    summary: "End a publication",
    description: "Everything that the totals count must be stored. The run ends as its last record states.",
    params: OfPublication,
    body: PublicationEnd,
    status: 200,
    response: Publication,
    handle: ({ ctx, params: { workspace, publication }, body }) =>
      finishPublication({ ctx, input: { workspace, runId: publication, ...body } }),
  }),
];
