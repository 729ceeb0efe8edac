import { z } from "zod";
import { RELEASE_TARGETS } from "../choices";
import { Moment } from "./scalar";

export const ReleaseTarget = z.enum(RELEASE_TARGETS);

export const OwnAddress = z.object({
  address: z.ipv4(),
  /** The network interface that has it. */
  interface: z.string().max(64),
});

/** Of the archives that hosts of one kind download. `stopped`: what built them has ended before their turn was over. */
export const ArchiveBuild = z.object({
  target: ReleaseTarget,
  state: z.enum(["waiting", "building", "ready", "failed", "stopped"]),
  began_at: Moment.nullable(),
  took_s: z.int().nullable(),
});

/** Whether other machines reach this app, and what whoever asks may change about that. */
export const NetworkAccess = z.object({
  /** Null for everybody but an owner of the installation, at its own machine, while `./rig up` runs there. */
  may: z.enum(["open", "close"]).nullable(),
  /** Private addresses of the machine that links may be made of, the likeliest first. Empty unless one may be chosen. */
  addresses: z.array(OwnAddress),
  /** How the last request ended; a problem is a sentence. */
  last: z.object({ id: z.uuid(), problem: z.string().nullable() }).nullable(),
  /** Empty before the first are built. */
  archives: z.array(ArchiveBuild),
  /** The build waits while something is measured on this machine. */
  held: z.boolean(),
});

/** The launcher acts within a second or two; `last` of NetworkAccess then has this id. */
export const NetworkAsked = z.object({ id: z.uuid() });

export type ReleaseTarget = z.infer<typeof ReleaseTarget>;
export type OwnAddress = z.infer<typeof OwnAddress>;
export type ArchiveBuild = z.infer<typeof ArchiveBuild>;
export type NetworkAccess = z.infer<typeof NetworkAccess>;
export type NetworkAsked = z.infer<typeof NetworkAsked>;
