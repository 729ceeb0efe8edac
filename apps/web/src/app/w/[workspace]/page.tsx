import { redirect } from "next/navigation";

export default async function WorkspacePage({ params }: PageProps<"/w/[workspace]">) {
  redirect(`/w/${(await params).workspace}/runs`);
}
