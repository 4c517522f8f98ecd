import { Button, Group, Stack, Text } from "@mantine/core";
import { Link } from "react-router";
import type { ContractDetails } from "../../contract/contracts.ts";
import { limits } from "../../contract/limits.ts";
import { call } from "../api.ts";
import { PanelSection } from "../components/panel-section.tsx";
import { showDay, showTime, showWrittenDay } from "../components/display.ts";
import { useDoing } from "../components/use-doing.ts";
import { WholeNumbers } from "../components/unbroken.tsx";
import { refreshContracts } from "../contracts/contract-readers.ts";
import { useMayCall } from "../portal/use-may-call.ts";

/** What comes after a contract, and the choice to accept its renewal quote automatically. */
export function ContractRenewal({ contract }: { contract: ContractDetails }) {
  if (contract.state === "ended" && (contract.renewal === "none" || contract.renewal === "renewed")) return null;
  return (
    <PanelSection title="What comes next" level={2}>
      <Stack gap="md">
        <Text>
          <WholeNumbers text={sentenceOf(contract)} />
        </Text>
        {contract.renewal !== "renewed" && !holdsNothing(contract) && <Choice contract={contract} />}
      </Stack>
    </PanelSection>
  );
}

/** Whether there is nothing to renew, nor a renewal quote that could be bought anyway. */
const holdsNothing = ({ devices, quotes }: ContractDetails) =>
  devices === 0 && !quotes.some(({ kind }) => kind === "renew");

function sentenceOf(contract: ContractDetails): string {
  const { renewal, quotes, ends_on, renewal_quoted_on, renewed_by } = contract;
  const quote = quotes.find(({ kind }) => kind === "renew");
  const end = `The contract ends on ${showWrittenDay(ends_on)}.`;
  if (renewal === "renewed") return `${end} It goes on in ${renewed_by}, which is paid.`;
  if (renewal === "declined") return `${end} You have declined the quote for the next year.`;
  if (holdsNothing(contract)) return `${end} It holds no devices on that day, so there is nothing to renew.`;
  if (renewal === "expired") return `${end} The quote for the next year has expired.`;
  if (quote && renewal === "accepted")
    return `${end} ${quote.number} for the next year is accepted. Nothing was charged: it begins once you have paid it, by ${showDay(quote.valid_until)}.`;
  if (quote)
    return `${end} ${quote.number} is the offer for the next year; you can buy it until ${showDay(quote.valid_until)}. ${contract.renews_itself ? "It is accepted by itself, as was chosen." : "Until you buy it, or choose that it renews by itself, nothing renews."}`;
  return `${end} On ${showWrittenDay(renewal_quoted_on)} we mail you the offer for the next year, at the prices of that day, and remind you 30 and 7 days before the end.`;
}

function Choice({ contract }: { contract: ContractDetails }) {
  const mayCall = useMayCall();
  const { id, renews_itself, renewal_chosen_by, renewal_chosen_at, renewal_choice_until, quotes } = contract;
  const choose = useDoing(refreshContracts, () =>
    call("user/contracts/choose-renewal", { contract_id: id, automatic: !renews_itself }),
  );
  const quote = quotes.find(({ kind }) => kind === "renew");
  const mayChoose = mayCall("user/contracts/choose-renewal");
  const isOpen = contract.renewal_choice_open && contract.renewal !== "declined";
  return (
    <>
      <Text fz="sm" c="var(--site-muted)">
        {renews_itself
          ? `Chosen by ${renewal_chosen_by} on ${renewal_chosen_at ? showTime(renewal_chosen_at) : ""}: it renews by itself, and the offer is accepted ${limits.autoRenewalDays} days before the end, for no more than you were told before that day. We keep no card, so nothing is charged by itself; you pay it then. It can be taken back until ${showWrittenDay(renewal_choice_until)}.`
          : `${mayChoose ? "You" : "The person who answers for your organization"} can choose that it renews by itself: the offer is then accepted ${limits.autoRenewalDays} days before the end, for no more than you were told before that day. We keep no card, so nothing is charged by that; you pay it then. It can be chosen and taken back until ${showWrittenDay(renewal_choice_until)}.`}
      </Text>
      <Group gap="sm">
        {quote && (
          <Button component={Link} to={`/user/myquote?search=${quote.number}`}>
            Open {quote.number}
          </Button>
        )}
        {isOpen && mayChoose && (
          <Button variant="default" loading={choose.isPending} onClick={() => choose.mutate()}>
            {renews_itself ? "Do not renew by itself" : "Renew by itself"}
          </Button>
        )}
      </Group>
    </>
  );
}
