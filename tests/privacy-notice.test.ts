import { createHash } from "node:crypto";
import { createElement, Fragment } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { brand } from "../contract/brand.ts";
import { currentNotice, noticeDay, type NoticeVersion, noticeVersions } from "../contract/privacy-notice.ts";
import { keptFor, otherData, sweptData } from "../contract/retention.ts";
import { privacyPolicy } from "../app/content/privacy-policy.tsx";

const said = privacyPolicy
  .map(({ title, text }) => `${title}\n${renderToStaticMarkup(createElement(Fragment, null, text))}`)
  .join("\n")
  .replaceAll(/<[^>]*>/g, " ")
  .replaceAll(/\s+/g, " ");

/** A hash of the text of each version that forms have shown; no form ever named the first. */
const texts: Partial<Record<NoticeVersion, string>> = {
  "2026-11-21": "KOoQnwuZQ9-t0fEM2J3akZvhuDmeSuaphAz8N-OLuNw",
  "2026-11-22": "nzlR9F0P8SX_HctVMv5tH7iLpmBoKG4FtWMzRfZEMxY",
  "2026-11-25": "ZGAkNXbWR5x78V3CPJ2TPzsCDDDkuFTv6qBkQ9hibPg",
  "2026-11-27": "ISbClN4ZzYcVLjr-R8NNpL_MXR6z6lXKK3ogeJP30NA",
  "2026-11-26": "zfKbJQNCnFmffruIsJoNOpzOSPa0lfKjq5WWDsWI4XI",
};

describe("the privacy notice", () => {
  it.runIf(brand.isSample)(
    "says what its version said when it was first shown: a changed text is a new version",
    () => {
      expect(createHash("sha256").update(said).digest("base64url")).toBe(texts[currentNotice]);
    },
  );
  it("is in its newest version, and lists all", () => {
    expect(noticeVersions.at(-1)).toBe(currentNotice);
    for (const version of noticeVersions) expect(said).toContain(noticeDay(version));
  });
  it("prints the table that the sweep enforces, and what no clock ends", () => {
    for (const row of Object.values(sweptData)) {
      expect(said).toContain(row.what);
      expect(said).toContain(keptFor(row));
    }
    for (const { what, kept } of otherData) {
      expect(said).toContain(what);
      expect(said).toContain(kept);
    }
  });
  it("names what is not in force, and takes safeguards for no ground", () => {
    expect(said).toContain("on 13 May 2027");
    expect(said).toContain("safeguards are a duty of ours (section 8(5)), not a ground");
  });
  it("promises no button for erasure or export that is not there", () => {
    expect(said).toContain("there is no button for it yet, and a person of ours does by hand what you ask for");
  });
});

describe("periods", () => {
  const kept = (days: number, after: string) => keptFor({ what: "", purpose: "", because: "", days, after });
  it("are said as people say them", () => {
    expect(kept(0, "they run out")).toBe("Until they run out");
    expect(kept(1, "they expire")).toBe("1 day after they expire");
    expect(kept(30, "they expire")).toBe("30 days after they expire");
    expect(kept(365, "they end")).toBe("1 year after they end");
    expect(kept(1095, "they end")).toBe("3 years after they end");
  });
});
