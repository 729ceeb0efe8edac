const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|\[::\])$/;
const PRIVATE =
  /^(10\.|192\.168\.|169\.254\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|172\.(1[6-9]|2\d|3[01])\.|\[f[cd]|\[fe80)|\.(local|lan|internal|home\.arpa)$/;

/** Works on this machine only. */
export const isLoopback = (url: string): boolean => LOOPBACK.test(new URL(url).hostname);
/** Others cannot open it. */
export const isPrivate = (url: string): boolean => {
  const { hostname } = new URL(url);
  return isLoopback(url) || PRIVATE.test(hostname) || (!hostname.includes(".") && !hostname.startsWith("["));
};
/** A client must say `--allow-http`. */
export const isPlainHttp = (url: string): boolean => new URL(url).protocol === "http:" && !isLoopback(url);
