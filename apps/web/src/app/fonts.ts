import localFont from "next/font/local";

/*
 * IBM Plex as IBM splits it (see fonts/OFL.txt). Its figures are tabular by nature. The parts with accents and
 * symbols (≥, →, narrow spaces) are fetched only by pages that use them.
 */
const sans = localFont({
  src: [
    { path: "../../fonts/IBMPlexSans-Regular-Latin1.woff2", weight: "400" },
    { path: "../../fonts/IBMPlexSans-Medium-Latin1.woff2", weight: "500" },
    { path: "../../fonts/IBMPlexSans-SemiBold-Latin1.woff2", weight: "600" },
  ],
  variable: "--font-plex-sans",
  display: "swap",
  declarations: [
    {
      prop: "unicode-range",
      value:
        "U+0000-00FF, U+0131, U+0152-0153, U+02C6, U+02DA, U+02DC, U+2013-2014, U+2018-201A, U+201C-201E, U+2020-2022, U+2026, U+2030, U+2039-203A, U+2044, U+20AC, U+2122, U+2212",
    },
  ],
});
const sansAccents = localFont({
  src: [
    { path: "../../fonts/IBMPlexSans-Regular-Latin2.woff2", weight: "400" },
    { path: "../../fonts/IBMPlexSans-Medium-Latin2.woff2", weight: "500" },
    { path: "../../fonts/IBMPlexSans-SemiBold-Latin2.woff2", weight: "600" },
  ],
  variable: "--font-plex-sans-accents",
  display: "swap",
  preload: false,
  adjustFontFallback: false,
  declarations: [
    { prop: "unicode-range", value: "U+0100-0130, U+0132-0151, U+0154-017F, U+0218-021B, U+1E9E" },
  ],
});
const sansSymbols = localFont({
  src: [
    { path: "../../fonts/IBMPlexSans-Regular-Pi.woff2", weight: "400" },
    { path: "../../fonts/IBMPlexSans-Medium-Pi.woff2", weight: "500" },
    { path: "../../fonts/IBMPlexSans-SemiBold-Pi.woff2", weight: "600" },
  ],
  variable: "--font-plex-sans-symbols",
  display: "swap",
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: "unicode-range",
      value:
        "U+2000-200D, U+202F, U+2032-2033, U+2070-2089, U+2190-2199, U+2206, U+2211, U+221A, U+221E, U+2248, U+2260, U+2264-2265, U+2713",
    },
  ],
});
const mono = localFont({
  src: [
    { path: "../../fonts/IBMPlexMono-Regular-Latin1.woff2", weight: "400" },
    { path: "../../fonts/IBMPlexMono-Medium-Latin1.woff2", weight: "500" },
  ],
  variable: "--font-plex-mono",
  display: "swap",
});

export const fontVariables = [sans, sansAccents, sansSymbols, mono].map((f) => f.variable).join(" ");
