import { LOCALES } from "@rigmark/messages";
import type { FirstReport } from "@rigmark/results";
import { useTranslations } from "next-intl";
import { inLanguage } from "@/lib/explore-path";
import { plainText } from "@/lib/text";
import { useWords } from "@/lib/words";
import { Command } from "../ui/command";
import { Text } from "../ui/text";

interface FrontPageProps {
  /** Who may make an account: `open`, `closed`, or a domain. */
  signUp: string;
  /** Nobody owns this installation yet. */
  unclaimed: boolean;
  /** What this installation measured first, where it did. */
  report: FirstReport | null;
}

/** For whoever is not signed in: what Rigmark is, what it looks like, and how to start. */
export function FrontPage({ signUp, unclaimed, report }: FrontPageProps) {
  const w = useWords();
  const t = useTranslations("public.front");
  return (
    <div className="grid gap-x-10 gap-y-8 py-4 lg:grid-cols-[minmax(0,25rem)_minmax(0,1fr)] lg:py-8">
      <div>
        <h1 className="text-[1.75rem] leading-tight">{t("title")}</h1>
        <ul className="mt-5 list-disc space-y-2 pl-5 text-ink-2">
          <li>{t("agent")}</li>
          <li>{t("turns")}</li>
          <li>{t("report")}</li>
        </ul>
        <p className="mt-6 flex flex-wrap gap-2">
          <a className="btn" data-kind="primary" href="/sign-in">
            {t("signIn")}
          </a>
          {signUp !== "closed" && (
            <a className="btn" href="/sign-up">
              {t("signUp")}
            </a>
          )}
          <a className="btn" href="/explore">
            {t("explore")}
          </a>
          <a className="btn" href="/docs">
            {t("docs")}
          </a>
        </p>
        {unclaimed && (
          <p className="note mt-5">
            {t.rich("unclaimed", { code: (text) => <code key="code">{text}</code> })}
          </p>
        )}
      </div>
      <figure className="min-w-0 lg:row-span-2">
        <ReportImage alt={t("alt")} />
        <figcaption className="mt-2 text-[0.929rem] text-ink-2">{t("caption")}</figcaption>
        {report && (
          <p className="mt-4 border-accent border-l-2 pl-4">
            <a className="link font-medium" href={inLanguage(report.url, w.language)}>
              {t("first")}
            </a>
            {report.headline && (
              <span
                lang={report.language === w.language ? undefined : LOCALES[report.language]}
                className="mt-1 block text-ink-2"
              >
                <Text text={w.sentence(plainText(report.headline))} />
              </span>
            )}
          </p>
        )}
      </figure>
      <section aria-labelledby="start" className="min-w-0 space-y-3">
        <h2 id="start">{t("start")}</h2>
        <p className="text-ink-2">{t("everything")}</p>
        <Command label={t("install")} text="./rig up" />
        <p className="text-ink-2">
          {t.rich("yours", {
            a: (text) => (
              <a key="own" className="link" href="/docs/own-server">
                {text}
              </a>
            ),
          })}
        </p>
        <Command
          label={t("compare")}
          text="rigmark run --server base=.@HEAD~1 --server head=. --scenario ./load.toml"
        />
      </section>
    </div>
  );
}

const WIDTH = 1680;
const HEIGHT = 1296;

/** One picture a theme; the one that is not shown is not loaded. `e2e/src/front-picture.ts` takes them. */
function ReportImage({ alt }: { alt: string }) {
  return (["light", "dark"] as const).map((theme) => (
    <img
      key={theme}
      src={`/pictures/report-${theme}.png`}
      width={WIDTH}
      height={HEIGHT}
      loading="lazy"
      alt={alt}
      className={`h-auto w-full rounded-lg border border-line ${theme === "dark" ? "theme-dark-only" : "theme-light-only"}`}
    />
  ));
}
