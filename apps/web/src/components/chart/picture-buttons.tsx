"use client";

import { bare } from "@rigmark/messages";
import { useState } from "react";
import { fileName } from "@/lib/csv";
import { download } from "@/lib/download";
import { useWords } from "@/lib/words";
import type { ChartData } from "./chart-data";

interface PictureButtonsProps {
  data: ChartData;
  title: string;
  /** Names the files, and says below the picture what was measured: it leaves its page. */
  name: string;
}

/** The chart as a file, for a slide or a paper. */
export function PictureButtons({ data, title, name }: PictureButtonsProps) {
  const w = useWords();
  const [failed, setFailed] = useState(false);
  const save = async (format: "png" | "svg") => {
    setFailed(false);
    try {
      const { pngOf, svgOf } = await import("./picture/make-picture");
      const { host, pathname } = location;
      const of = {
        data,
        title: bare(title),
        source: bare(w.t("ui.pictureSource", { name, address: `${host}${pathname}` })),
      };
      const picture = format === "png" ? await pngOf(w, of) : svgOf(w, of);
      download(picture, `${fileName(name)}.${format}`);
    } catch {
      setFailed(true);
    }
  };
  return (
    <>
      {(["png", "svg"] as const).map((format) => (
        <button
          key={format}
          type="button"
          className="btn"
          data-size="small"
          onClick={() => void save(format)}
          aria-label={w.t("ui.pictureLabel", { title, format: format.toUpperCase() })}
        >
          {format.toUpperCase()}
        </button>
      ))}
      {failed && (
        <span role="alert" className="text-bad">
          {w.t("ui.pictureFailed")}
        </span>
      )}
    </>
  );
}
