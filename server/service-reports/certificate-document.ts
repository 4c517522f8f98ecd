import { brand } from "../../contract/brand.ts";
import { monthInWords } from "../../contract/india-time.ts";
import { limits } from "../../contract/limits.ts";
import { type CertificateData, type CertifiedSource, notCoveredWords } from "../../contract/report-data.ts";
import { brandOnPaper, paperDate } from "../outside/documents/paper.ts";
import { sha256Of } from "../protection/sha256-of.ts";
import { writtenFacts } from "./certificate.ts";
import { paperTimeIn } from "./paper-times.ts";

const notStated = "Not stated by the operator";

/** The data for the certificate's template; the facts are attached as exactly the text that has the fingerprint. */
export function certificatePaper(certificate: CertificateData, writtenAt: Date, cin: string) {
  const facts = writtenFacts(certificate);
  const { stated, timeZone } = certificate;
  const at = (instant: string) => paperTimeIn(instant, timeZone);
  return {
    brand: brandOnPaper(brand, cin),
    customer: certificate.customer,
    month: monthInWords(certificate.month),
    head: [
      ["Customer", certificate.customer],
      ["Month", monthInWords(certificate.month)],
      ["As known at", at(certificate.closedAt)],
      ["Time zone", timeZone],
      ["Place of storage", stated?.place ?? notStated],
      ["Clock source", stated?.clock ?? notStated],
      ["Signatory", stated ? `${stated.signatory}, ${stated.designation}` : notStated],
      ["Written on", paperDate(writtenAt)],
    ],
    gapHours: certificate.gapHours,
    keptDays: limits.logRetentionDays,
    sources: certificate.sources.map((source) => [
      source.name,
      source.removed ? `${source.engine}, not connected any more` : source.engine,
      at(source.firstEventAt),
      source.lastEventAt === certificate.closedAt ? "until the close" : at(source.lastEventAt),
      String(source.days),
      ...[180, 365].map((days) => reachSaid(source, days)),
      source.gaps.length === 0 ? "none" : String(source.gaps.length),
    ]),
    gaps: certificate.sources.flatMap((source) => source.gaps.map((gap) => gapRow(source, gap, at))),
    notCovered: certificate.notCovered.map(({ name, engine, because }) => [
      name,
      engine || "–",
      notCoveredWords[because],
    ]),
    facts,
    sha256: sha256Of(facts),
  };
}

/** For a removed source, the reach no longer matters. */
const reachSaid = ({ removed, days }: CertifiedSource, wanted: number) =>
  removed ? "–" : days >= wanted ? "reached" : `${wanted - days} days to go`;

/** The source was silent while the engine was being asked; for the rest of a gap nothing is known. */
function gapRow({ name }: CertifiedSource, gap: CertifiedSource["gaps"][number], at: (instant: string) => string) {
  const isWatched = gap.watchedUntil > gap.from;
  const wasWatchedThrough = gap.watchedUntil >= gap.until;
  return [
    name,
    at(gap.from),
    at(gap.until),
    wasWatchedThrough
      ? "No event came"
      : isWatched
        ? `No event came until ${at(gap.watchedUntil)}; after that not known`
        : "Not known: the engine gave no answer",
  ];
}
