import { Alert, SimpleGrid, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { limits } from "../../../contract/limits.ts";
import type { RateCardContent } from "../../../contract/rates.ts";
import { call } from "../../api.ts";
import { countOf } from "../../components/count-of.ts";
import { PanelSection } from "../../components/panel-section.tsx";
import { ListLoading } from "../../lists/list-state.tsx";
import { TotalsBeforeAndAfter } from "../totals-before-and-after.tsx";
import { Changes } from "./changes.tsx";
import classes from "./rate-card.module.css";

/** What the typed card would change, and what three sent estimates would cost by it. */
export default function Comparison({ content, isValid }: { content: RateCardContent; isValid: boolean }) {
  // An invalid card counts as null here, so no request is sent for it at the moment that it becomes valid.
  const [settled] = useDebouncedValue(isValid ? content : null, limits.searchDebounceMs);
  const compared = useQuery({
    queryKey: ["admin/rates/compare", settled],
    queryFn: settled ? ({ signal }) => call("admin/rates/compare", { content: settled }, signal) : skipToken,
    enabled: isValid,
    placeholderData: keepPreviousData,
  });
  const isOld = compared.isPlaceholderData || settled !== content;
  return (
    <PanelSection
      level={2}
      title="What it would change"
      hint="The smallest, the median and the largest of the latest hundred estimates, for one year: by the card in force, and by this one. Retired types count at their last price."
    >
      {!isValid && <Text c="var(--site-muted)">Correct the errors on the card to see the comparison.</Text>}
      {isValid && compared.isPending && <ListLoading rows={2} />}
      {compared.isError && (
        <Alert color="red" role="alert">
          {compared.error.message}
        </Alert>
      )}
      {isValid && compared.data && (
        <Stack gap="lg" aria-busy={isOld} style={{ opacity: isOld ? 0.55 : 1 }}>
          <Changes changes={compared.data.changes} />
          {compared.data.estimates.length === 0 && (
            <Text c="var(--site-muted)">There is no estimate to compare yet.</Text>
          )}
          <SimpleGrid cols={{ base: 1, xl: 3 }} spacing="xl">
            {compared.data.estimates.map(({ number, organization_name, devices, before, after }) => (
              <div key={number} className={classes.scroll}>
                <Text fw={650}>
                  {number}, <bdi>{organization_name}</bdi>
                </Text>
                <Text c="var(--site-muted)" fz="sm" mb="xs">
                  {countOf(devices, "device")}
                </Text>
                <TotalsBeforeAndAfter before={before} after={after} columns={["In force", "This card"]} />
              </div>
            ))}
          </SimpleGrid>
        </Stack>
      )}
    </PanelSection>
  );
}
