import type { Config } from "../../context";
import { DomainError } from "../../error";
import { isPrivate } from "../../internal/address";

const refuse = (message: string): never => {
  throw new DomainError("invalid", message);
};

/** The address of a webhook as it is kept. Where its name leads is looked at each time that something is sent. */
export function checkUrl(text: string, { webhookNetworks }: Config): string {
  const url = URL.canParse(text)
    ? new URL(text)
    : refuse("This is not a valid address; write one such as https://example.org/hook.");
  if (url.protocol !== "https:" && !(url.protocol === "http:" && webhookNetworks))
    refuse("A webhook needs an address that begins with https://.");
  if (url.username || url.password)
    refuse("The address has a user name or a password in it. Leave them out: each message is signed.");
  if (!webhookNetworks && isPrivate(url.href))
    refuse(
      "This address is private. Use a public one, or ask the operator of this app to allow its network with WEBHOOK_NETWORKS.",
    );
  url.hash = "";
  return url.href;
}
