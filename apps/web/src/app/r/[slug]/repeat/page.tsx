import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { LAST_WORKSPACE, landing } from "@/lib/landing";
import { repeatPath } from "@/lib/repeat-path";
import { caller } from "@/trpc/caller";

/** Leads a reader of a report to the same plan in a workspace of their own, where they choose a host. */
export default async function RepeatReport({ params, searchParams }: PageProps<"/r/[slug]/repeat">) {
  const { slug } = await params;
  const place = Number((await searchParams).run ?? 1);
  const api = await caller();
  const { user } = await api.account.me();
  if (!user) redirect(`/sign-in?next=${encodeURIComponent(repeatPath(slug, place))}`);
  const last = (await cookies()).get(LAST_WORKSPACE)?.value;
  const places = await api.workspace.list();
  const usable = places.filter((place) => place.may.includes("queue"));
  // Who may only look everywhere is told so where the run would be queued.
  const workspace = landing(usable, last) ?? landing(places, last);
  redirect(workspace ? `/w/${workspace.slug}/runs/new?report=${slug}.${place}` : "/account");
}
