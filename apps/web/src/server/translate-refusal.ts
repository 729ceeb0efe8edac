import { bare, type Language } from "@rigmark/messages";
import { wordsIn } from "@rigmark/messages/catalogue";

/** A refusal, whose message is English, as people read it. What the catalogue does not know is quoted. */
export async function inReadersLanguage(response: Response, language: Language): Promise<Response> {
  if (language === "en" || response.status < 400) return response;
  const text = await response.text();
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  return new Response(translated(text, language), { status: response.status, headers });
}

function translated(text: string, language: Language): string {
  try {
    const body: unknown = JSON.parse(text);
    const said = (message: string) => bare(wordsIn(language).phrase(message));
    return JSON.stringify(body, (key, value) =>
      key === "message" && typeof value === "string" ? said(value) : value,
    );
  } catch {
    return text;
  }
}
