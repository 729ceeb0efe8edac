import { expect, it } from "vitest";
import { FrontPage } from "@/components/shell/front-page";
import { render } from "./words";

const draw = (given: Partial<Parameters<typeof FrontPage>[0]> = {}) =>
  render(<FrontPage signUp="closed" unclaimed={false} report={null} {...given} />);

it("offers an account where one can be made", () => {
  expect(draw()).not.toContain("/sign-up");
  for (const signUp of ["open", "example.org"]) expect(draw({ signUp })).toContain("/sign-up");
});

it("says who becomes the owner, as long as there is none", () => {
  expect(draw()).not.toContain("no owner yet");
  expect(draw({ unclaimed: true })).toContain("no owner yet");
});

it("links the first report in the page's language, whose words are text", () => {
  expect(draw()).not.toContain("/r/");
  const report = {
    url: "https://rigmark.example/r/abc",
    headline: "<b>epoll</b> is faster",
    language: "en",
  } as const;
  const html = draw({ report });
  expect(html).toContain('href="https://rigmark.example/r/abc"');
  expect(html).toContain("&lt;b&gt;epoll&lt;/b&gt; is faster");
  const chinese = render(<FrontPage signUp="closed" unclaimed={false} report={report} />, "zh");
  expect(chinese).toContain('href="https://rigmark.example/r/abc?lang=zh"');
});
