import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import type { SiteSection } from "../../contract/shown-texts.ts";
import { siteSectionNames } from "../../contract/site-section-names.ts";
import type { SiteSettings } from "../../contract/site-texts.ts";
import { call } from "../api.ts";
import { showTime } from "../components/display.ts";
import { openedLater } from "../components/later.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { PanelSection } from "../components/panel-section.tsx";
import { ListFailed, ListLoading } from "../lists/list-state.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import { settingsKey } from "./site-texts/settings-key.ts";

export const meta = () => [{ title: `Site texts – ${brand.name}` }];

interface OfSection {
  section: SiteSection | null;
  settings: SiteSettings | undefined;
  onClose: () => void;
}
const TextsDialog = openedLater<OfSection>(() => import("./site-texts/texts-dialog.tsx"), { section: null });
const HistoryDialog = openedLater<OfSection>(() => import("./site-texts/history-dialog.tsx"), { section: null });

const hints: Record<SiteSection, string> = {
  brand:
    "Name, legal entity, GSTIN, e-mail addresses, phone numbers, offices and links: on every page, in mails and on new documents.",
  faq: "The buyers’ questions on the home page, with their answers.",
  serviceLevels: "The times by severity that the buyer's guide shows.",
  legal: "Versions of the privacy notice, the day of the terms, and the periods that your company promises.",
  seller: "CIN, letter of undertaking, e-invoices and rounding: on invoices, and in what tax they charge.",
};

/** What the site says about the company: administrators edit it, their child accounts read it. */
export default function SiteTexts() {
  const [edited, setEdited] = useState<SiteSection | null>(null);
  const [looked, setLooked] = useState<SiteSection | null>(null);
  const mayEdit = useMayCall()("admin/settings/save");
  const settings = useQuery({ queryKey: settingsKey, queryFn: ({ signal }) => call("admin/settings", {}, signal) });
  return (
    <>
      <PageTitle
        title="Site texts"
        hint="What the site says about your company. Changes appear on every page at once."
      />
      {settings.isPending && <ListLoading rows={4} />}
      {settings.isError && <ListFailed message={messages.fetchFailed} onRetry={() => void settings.refetch()} />}
      {settings.data && (
        <Stack gap="md">
          {(Object.keys(siteSectionNames) as SiteSection[]).map((section) => (
            <PanelSection
              key={section}
              level={2}
              title={siteSectionNames[section]}
              hint={hints[section]}
              aside={
                <Group gap="sm">
                  <Button
                    variant="default"
                    size="md"
                    aria-label={`History of ${siteSectionNames[section]}`}
                    onClick={() => setLooked(section)}
                  >
                    History
                  </Button>
                  {mayEdit && (
                    <Button
                      variant="light"
                      size="md"
                      aria-label={`Edit ${siteSectionNames[section]}`}
                      onClick={() => setEdited(section)}
                    >
                      Edit
                    </Button>
                  )}
                </Group>
              }
            >
              <Text fz="sm">{stateOf(settings.data[section])}</Text>
            </PanelSection>
          ))}
          <Text fz="sm" c="var(--site-muted)">
            Certificates and references stand under{" "}
            <Anchor component={Link} to="/admin/proofs" fz="sm" style={{ textDecoration: "underline" }}>
              Certificates
            </Anchor>
            .
          </Text>
        </Stack>
      )}
      <TextsDialog section={edited} settings={settings.data} onClose={() => setEdited(null)} />
      <HistoryDialog section={looked} settings={settings.data} onClose={() => setLooked(null)} />
    </>
  );
}

function stateOf({ version, saved_at: at, saved_by: by }: SiteSettings[SiteSection]): string {
  if (version === 0 || at === null) return "As shipped.";
  return `Version ${version}, saved on ${showTime(at)} by ${by ?? "somebody who has left"}.`;
}
