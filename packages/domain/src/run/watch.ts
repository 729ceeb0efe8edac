import type { WatchEvent } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { takeSeat } from "../internal/seats";
import { idOf, parsePlace } from "./internal/live/place";
import { joinRun, type Viewer } from "./internal/live/reader";

interface Input {
  workspace: string;
  runId: string;
  lastEventId?: string | null | undefined;
}
export interface Tracked {
  /** `<attempt_no>:<journal seq>` up to which everything was sent. */
  id: string;
  /** What came together goes out together: a message costs more than what is in it. */
  events: readonly WatchEvent[];
}

/**
 * A run as it happens: first as it is, with what came after the viewer's place, then each change. One reader reads the
 * rows for all viewers (`internal/live/reader.ts`). Ends when the run is over and everything was sent.
 */
export async function* watchRun({ ctx, input }: Call<Input>): AsyncGenerator<Tracked> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const leave = takeSeat(ctx, workspaceId);
  let viewer: Viewer | undefined;
  try {
    viewer = joinRun(ctx, workspaceId, input.runId, parsePlace(input.lastEventId));
    for (let round = await viewer.next(); round; round = await viewer.next())
      yield { id: idOf(round.attemptNo, round.upTo), events: round.events };
  } finally {
    viewer?.leave();
    leave();
  }
}
