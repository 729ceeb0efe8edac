import fc from "fast-check";

/** Property tests draw the same inputs each time, here as in CI; `./rig bench soak` draws other seeds. */
// biome-ignore lint/style/noProcessEnv: only the tests of this package are told it.
fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20_261_122) });
