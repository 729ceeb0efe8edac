import { isLoopback, isPlainHttp } from "../../internal/address";

/** What a person pastes into the terminal of a host. */
export function enrollCommands(publicUrl: string, key: string) {
  const plain = isPlainHttp(publicUrl);
  const secure = publicUrl.startsWith("https:") ? " --proto '=https' --tlsv1.2" : "";
  const args = `--url ${publicUrl} --key ${key}${plain ? " --allow-http" : ""}`;
  return {
    commands: {
      install: `curl${secure} -fsSL ${publicUrl}/install.sh | sh -s -- ${args}`,
      inspect: `curl${secure} -fsSL ${publicUrl}/install.sh -o install.sh && less install.sh && sh install.sh ${args}`,
      enroll_local: `rigmark enroll ${args} && rigmark agent`,
    },
    allow_http_needed: plain,
    loopback_only: isLoopback(publicUrl),
  };
}
