import { open, rename, rm } from "node:fs/promises";
import type { OwnAddress } from "@rigmark/results/network";
import type { z } from "zod";
import { ownAddresses } from "./addresses";
import { Archives, filesOf, LauncherNote, LauncherRequest, MOST_BYTES } from "./files";

/** The launcher as the app sees it. */
export interface Launcher {
  /** Null unless a `./rig up` runs that takes requests. */
  note(): Promise<LauncherNote | null>;
  archives(): Promise<Archives | null>;
  addresses(): Promise<OwnAddress[]>;
  ask(request: LauncherRequest): Promise<void>;
}

export function launcherIn(stateDir: string): Launcher {
  const files = filesOf(stateDir);
  return {
    note: async () => {
      const note = await read(files.note, LauncherNote);
      return note && lives(note.pid) ? note : null;
    },
    archives: async () => {
      const archives = await read(files.archives, Archives);
      if (!archives || lives(archives.pid)) return archives;
      const builds = archives.builds.map((build) =>
        build.state === "waiting" || build.state === "building"
          ? { ...build, state: "stopped" as const }
          : build,
      );
      return { ...archives, held: false, builds };
    },
    addresses: ownAddresses,
    ask: async (request) => {
      const draft = `${files.request}.${request.id}`;
      const file = await open(draft, "wx", 0o600);
      try {
        await file.writeFile(`${JSON.stringify(LauncherRequest.parse(request))}\n`);
      } finally {
        await file.close();
      }
      await rename(draft, files.request).catch(async (error) => {
        await rm(draft, { force: true });
        throw error;
      });
    },
  };
}

async function read<T>(path: string, shape: z.ZodType<T>): Promise<T | null> {
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      return size > MOST_BYTES ? null : shape.parse(JSON.parse(await file.readFile("utf8")));
    } finally {
      await file.close();
    }
  } catch {
    // There is none, or one of another version: nothing can be asked then.
    return null;
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
