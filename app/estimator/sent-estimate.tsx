import { Alert, Anchor, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import type { Profile } from "../../contract/accounts.ts";
import { customService } from "../../contract/devices.ts";
import type { ListedPerson } from "../../contract/people.ts";
import { areaOf } from "../../contract/roles.ts";
import { call } from "../api.ts";
import { showRupees } from "../components/display.ts";
import { openedLater } from "../components/later.tsx";
import { useSession } from "../session.ts";
import { factsFrom } from "./registration-facts.ts";
import classes from "./estimator.module.css";
import type { ProposalDialogProps } from "./proposal-dialog.tsx";
import type { QuoteFormValues, Selection } from "./selection.ts";

// Loaded later, as it brings Mantine's dialog code with it.
const ProposalDialog = openedLater<ProposalDialogProps>(() => import("./proposal-dialog.tsx"), { opened: false });

const pollMs = 1500;
/** Polling stops after a minute; the mail brings the proposal then. */
const looksForMs = 60_000;

/** A sent estimate, with the server's answer. */
export interface Sent {
  number: string;
  total: string;
  proposalToken: string;
  form: QuoteFormValues;
  selection: Selection;
}

export interface SentEstimateProps {
  sent: Sent;
  profile: Profile | null;
  /** The customer that a partner made it for. */
  customer: ListedPerson | null;
  onAnother: () => void;
  onClear: () => void;
}

/** Replaces the form once an estimate was sent: its number, its proposal and what comes next. */
export default function SentEstimate({ sent, profile, customer, onAnother, onClear }: SentEstimateProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The form that it replaces was longer: the heading alone would come into sight, at the window's lower edge.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.closest("section")?.scrollIntoView();
  }, []);
  const { role } = useSession();
  const isCustomer = role !== null && areaOf(role) === "user";
  const custom = sent.selection.some(({ service }) => service === customService);
  return (
    <section className={classes.sent} aria-labelledby="sent-heading">
      <Stack gap="md">
        <div>
          <Title order={2} fz="lg" id="sent-heading" ref={heading} tabIndex={-1}>
            {customer ? "The estimate" : "Your estimate"} has the number{" "}
            <span className={classes.nowrap}>{sent.number}</span>
          </Title>
          <Text>
            It comes to <strong className={classes.nowrap}>{showRupees(sent.total)}</strong> a year.
          </Text>
          <Text c="var(--site-muted)" style={{ overflowWrap: "anywhere" }}>
            Its proposal {customer ? "goes" : "also comes"} by e-mail to {sent.form.userEmail}.
          </Text>
        </div>
        <Proposal sent={sent} />
        <div>
          <Text fw={650} mb={6}>
            What comes next
          </Text>
          <ol className={classes.next}>
            <li>
              The proposal is valid to the end of the day that it names, and binds{" "}
              {customer ? "nobody to anything" : "you to nothing"}.
            </li>
            {customer ? (
              <StepsOfCustomer customer={customer} custom={custom} />
            ) : (
              <OwnSteps custom={custom} signedIn={profile !== null} />
            )}
          </ol>
        </div>
        {isCustomer && (
          <Button component={Link} to="/user/myquote" size="md" style={{ alignSelf: "flex-start" }}>
            Open My Quotes
          </Button>
        )}
        {customer && (
          <Button component={Link} to="/partner/listuser" size="md" style={{ alignSelf: "flex-start" }}>
            Back to the customer list
          </Button>
        )}
        {role === null && <Account form={sent.form} />}
        <Group gap="sm" pt="md" style={{ borderBlockStart: "1px solid var(--site-border)" }}>
          <Button variant="default" onClick={onAnother}>
            Send another with these devices
          </Button>
          <Button variant="default" onClick={onClear}>
            Clear the devices
          </Button>
        </Group>
      </Stack>
    </section>
  );
}

function OwnSteps({ custom, signedIn }: { custom: boolean; signedIn: boolean }) {
  return (
    <>
      {custom && (
        <li>We confirm the rates of your custom devices and mail you the final proposal; you can buy from then on.</li>
      )}
      <li>
        You buy it online under My Quotes{signedIn ? "" : ", signed in with this e-mail address"}. The tax invoice comes
        at once.
      </li>
      <li>Our team gets in touch to connect your devices.</li>
    </>
  );
}

function StepsOfCustomer({ customer, custom }: { customer: ListedPerson; custom: boolean }) {
  return (
    <>
      {custom && (
        <li>We confirm the rates of the custom devices and mail the final proposal; it can be bought from then on.</li>
      )}
      {customer.status === "invited" && (
        <li>The customer accepts your invitation, and finds the quote in its account.</li>
      )}
      <li>{customer.organization_name} buys it online under My Quotes. The tax invoice comes at once.</li>
      <li>You see in your customer list how far it is.</li>
    </>
  );
}

/** The proposal, as soon as it is made. */
function Proposal({ sent: { number, proposalToken } }: { sent: Sent }) {
  const [opened, setOpened] = useState(false);
  const [sentAt] = useState(() => Date.now());
  const proposal = useQuery({
    queryKey: ["estimator/proposal", proposalToken],
    queryFn: ({ signal }) => call("estimator/proposal", { token: proposalToken }, signal),
    refetchInterval: ({ state }) =>
      state.data?.signedUrl || state.error || state.dataUpdatedAt - sentAt > looksForMs ? false : pollMs,
  });
  if (proposal.isError)
    return (
      <Alert color="orange" role="status">
        <Group justify="space-between">
          <Text>We can't show the proposal here right now. It comes by e-mail all the same.</Text>
          <Button variant="default" onClick={() => void proposal.refetch()}>
            Try again
          </Button>
        </Group>
      </Alert>
    );
  const isReady = Boolean(proposal.data?.signedUrl);
  const isLate = !isReady && proposal.dataUpdatedAt - sentAt > looksForMs;
  return (
    <Group gap="md" role="status">
      {isLate ? (
        <Button size="md" variant="default" loading={proposal.isFetching} onClick={() => void proposal.refetch()}>
          Look again
        </Button>
      ) : (
        <Button size="md" variant="light" disabled={!isReady} onClick={() => setOpened(true)}>
          View the proposal
        </Button>
      )}
      <Text c="var(--site-muted)" fz="sm">
        {isReady
          ? "It is ready."
          : isLate
            ? "It is taking longer than usual. It comes by e-mail as soon as it is ready."
            : "It is being made; that takes a few seconds."}
      </Text>
      <ProposalDialog {...{ opened, number, proposalToken }} onClose={() => setOpened(false)} />
    </Group>
  );
}

function Account({ form }: { form: QuoteFormValues }) {
  return (
    <Group gap="md">
      <Button
        component={Link}
        to={`/login?register&next=${encodeURIComponent("/user/myquote")}`}
        state={{ facts: factsFrom(form) }}
        size="md"
      >
        Create my account
      </Button>
      <Text fz="sm" c="var(--site-muted)">
        Your details are filled in: you only choose a password. Have an account?{" "}
        <Anchor
          component={Link}
          to={`/login?next=${encodeURIComponent("/user/myquote")}`}
          fz="sm"
          style={{ textDecoration: "underline" }}
        >
          Sign in
        </Anchor>
      </Text>
    </Group>
  );
}
