import { isLoopback, isPlainHttp } from "../../internal/address";

/**
 * What a person pastes into the terminal of a host. The key is in the environment of the one program that needs it: a
 * command line is shown to everybody on the host for as long as its program runs.
 */
export function enrollCommands(publicUrl: string, key: string) {
  const plain = isPlainHttp(publicUrl);
  const secure = publicUrl.startsWith("https:") ? " --proto '=https' --tlsv1.2" : "";
  const args = `--url ${publicUrl}${plain ? " --allow-http" : ""}`;
  const keyed = `RIGMARK_ENROLL_KEY=${key}`;
  return {
    commands: {
      install: `curl${secure} -fsSL ${publicUrl}/install.sh | ${keyed} sh -s -- ${args}`,
      inspect: `curl${secure} -fsSL ${publicUrl}/install.sh -o install.sh && less install.sh && ${keyed} sh install.sh ${args}`,
      enroll_local: `${keyed} rigmark enroll ${args} && rigmark agent`,
    },
    allow_http_needed: plain,
    loopback_only: isLoopback(publicUrl),
  };
}
