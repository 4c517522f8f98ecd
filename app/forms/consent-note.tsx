import { Text } from "@mantine/core";
import { brand } from "../../contract/brand.ts";
import { currentNotice, noticeDay } from "../../contract/privacy-notice.ts";

/**
 * Stands directly above the button whose press is the consent (decision 27): what the details are used for, and a link
 * to the notice. The form sends `currentNotice` along. The notice opens in a new tab, so that nothing typed is lost.
 */
export function ConsentNote({ doing, purpose }: { doing: string; purpose: string }) {
  return (
    <Text fz="sm" c="var(--site-muted)">
      By {doing} you agree that {brand.legalName} uses these details to {purpose}. The{" "}
      <a href="/privacy-policy#privacy" target="_blank" rel="noopener" style={{ color: "var(--site-accent)" }}>
        privacy notice of {noticeDay(currentNotice)}
        <span className="visually-hidden"> (opens in a new tab)</span>
      </a>{" "}
      says more, and how to take it back.
    </Text>
  );
}
