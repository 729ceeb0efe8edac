/** Where to go after signing in: an address of this site, nothing else. */
export function nextPath(wanted: string | string[] | undefined, otherwise = "/"): string {
  if (typeof wanted !== "string" || !/^\/(?![/\\])/.test(wanted)) return otherwise;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop these and may then see another host
  return /[\u0000-\u001f\\]/.test(wanted) ? otherwise : wanted;
}
