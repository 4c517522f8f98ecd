import { Anchor, Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { brand } from "../../contract/brand.ts";
import { matchRuleKinds } from "../../contract/coverage-words.ts";
import type { CoverageRules as Rules, MatchRule, SilenceLimit } from "../../contract/coverage.ts";
import { keyOf } from "../../contract/devices.ts";
import { messages } from "../../contract/messages.ts";
import { call } from "../api.ts";
import { ConfirmedAction } from "../components/confirmed-action.tsx";
import { showMinutes, showTime } from "../components/display.ts";
import { openedLater } from "../components/later.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { PanelSection } from "../components/panel-section.tsx";
import { coveragePath, shownOfCoverage } from "../coverage/coverage-readers.ts";
import { CustomerRefused, isNoCustomer, noSuchCustomer } from "../components/customer-refused.tsx";
import type { Column } from "../lists/column.ts";
import { DataTable } from "../lists/data-table.tsx";
import { ListEmpty, ListFailed, ListLoading } from "../lists/list-state.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import type { LimitDialogProps } from "./coverage/limit-dialog.tsx";
import type { RuleDialogProps } from "./coverage/rule-dialog.tsx";

export const meta = () => [{ title: `Rules and limits – ${brand.name}` }];

const RuleDialog = openedLater<RuleDialogProps>(() => import("./coverage/rule-dialog.tsx"), { edited: null });
const LimitDialog = openedLater<LimitDialogProps>(() => import("./coverage/limit-dialog.tsx"), { edited: null });

const whose = (own: boolean) => (own ? "This customer" : "All customers");

/** The rules that match devices to types, and the silence limits: for all customers, or for the one in the address. */
export default function CoverageRules() {
  const [address] = useSearchParams();
  const email = address.get("of");
  const found = useQuery({
    queryKey: ["admin/coverage/rules", { email }],
    queryFn: ({ signal }) => call("admin/coverage/rules", email === null ? {} : { email }, signal),
  });
  return (
    <>
      <PageTitle
        title="Rules and limits"
        hint={
          email === null
            ? "How devices are matched to types, and when they count as silent, for all customers."
            : `The rules of ${email}, and after them those of all customers.`
        }
      >
        <Anchor component={Link} to={email === null ? "/admin/coverage" : coveragePath("admin", email)}>
          Back to the coverage
        </Anchor>
      </PageTitle>
      {found.isPending && <ListLoading rows={5} />}
      {found.isError &&
        (isNoCustomer(found.error) ? (
          <CustomerRefused list="/admin/customerList">{noSuchCustomer}</CustomerRefused>
        ) : (
          <ListFailed message={messages.fetchFailed} onRetry={() => void found.refetch()} />
        ))}
      {found.data && (
        <Stack gap="xl">
          <RuleList rules={found.data.rules} email={email} />
          <LimitList {...found.data} email={email} />
        </Stack>
      )}
    </>
  );
}

const ruleColumns: readonly Column<MatchRule>[] = [
  { label: "Goes by", cell: ({ kind }) => matchRuleKinds[kind] },
  {
    label: "Is like",
    cell: ({ pattern }) => (
      <Text fz="inherit" style={{ overflowWrap: "anywhere" }}>
        <bdi>{pattern}</bdi>
      </Text>
    ),
    below: true,
  },
  {
    label: "Is taken for",
    cell: ({ deviceType, service }) => (
      <>
        {deviceType}
        <Text fz="xs" c="var(--site-muted)">
          {service}
        </Text>
      </>
    ),
  },
  { label: "Of", cell: ({ own }) => whose(own), below: true },
  { label: "Order", cell: ({ place }) => place, numeric: true },
  {
    label: "Changed",
    cell: ({ changedAt, changedBy }) => (
      <>
        {showTime(changedAt)}
        <Text fz="xs" c="var(--site-muted)">
          <bdi>{changedBy}</bdi>
        </Text>
      </>
    ),
  },
];

function RuleList({ rules, email }: { rules: readonly MatchRule[]; email: string | null }) {
  const [edited, setEdited] = useState<RuleDialogProps["edited"]>(null);
  const mayEdit = useMayCall()("admin/coverage/rules/save");
  // Rules for all customers are changed on the screen of all customers.
  const isHere = ({ own }: MatchRule) => own === (email !== null);
  return (
    <PanelSection
      title="Matching"
      hint="What is set by hand for a device comes first. Then the rules apply in this order: the first that matches counts."
      level={2}
      bare
      aside={mayEdit && <Button onClick={() => setEdited("new")}>Add a rule</Button>}
    >
      {rules.length === 0 ? (
        <ListEmpty message="No rules yet">
          <Text c="var(--site-muted)">Without rules, the type of each device is set by hand.</Text>
        </ListEmpty>
      ) : (
        <DataTable
          caption="Matching rules"
          columns={ruleColumns}
          rows={rules}
          {...(mayEdit && {
            actions: (rule: MatchRule) => isHere(rule) && <RuleActions rule={rule} onEdit={() => setEdited(rule)} />,
          })}
        />
      )}
      <RuleDialog edited={edited} email={email} onClose={() => setEdited(null)} />
    </PanelSection>
  );
}

function RuleActions({ rule: { id, version, pattern, own }, onEdit }: { rule: MatchRule; onEdit: () => void }) {
  return (
    <>
      <Button variant="default" aria-label={`Edit the rule ${pattern}`} onClick={onEdit}>
        Edit
      </Button>
      <ConfirmedAction
        label="Remove"
        about={`the rule ${pattern}`}
        title="Remove the rule"
        failed="It could not be removed."
        act={() => call("admin/coverage/rules/remove", { id, version })}
        stale={shownOfCoverage}
      >
        <bdi>{pattern}</bdi> no longer applies {own ? "to this customer" : "to any customer"}: the devices that it
        matched are matched again at once by the remaining rules. To restore it, you have to enter it again.
      </ConfirmedAction>
    </>
  );
}

const limitColumns: readonly Column<SilenceLimit & { id: string }>[] = [
  { label: "Device type", cell: ({ deviceType }) => deviceType },
  { label: "Service", cell: ({ service }) => service },
  { label: "Silent after", cell: ({ minutes }) => showMinutes(minutes), numeric: true },
  { label: "Of", cell: ({ own }) => whose(own) },
];

function LimitList({ limits, defaults, email }: Pick<Rules, "limits" | "defaults"> & { email: string | null }) {
  const [edited, setEdited] = useState<LimitDialogProps["edited"]>(null);
  const mayEdit = useMayCall()("admin/coverage/limits/save");
  return (
    <PanelSection
      title="Silence limits"
      hint={`Without one, workstations are silent after ${showMinutes(defaults.workstation)} and everything else after ${showMinutes(defaults.other)} without an event.`}
      level={2}
      bare
      aside={mayEdit && <Button onClick={() => setEdited("new")}>Set a limit</Button>}
    >
      {limits.length > 0 && (
        <DataTable
          caption="Silence limits"
          columns={limitColumns}
          rows={limits.map((limit) => ({ ...limit, id: `${keyOf(limit)} ${limit.own}` }))}
          {...(mayEdit && {
            actions: (limit: SilenceLimit) =>
              limit.own === (email !== null) && (
                <Button
                  variant="default"
                  aria-label={`Change the limit of ${limit.deviceType}`}
                  onClick={() => setEdited(limit)}
                >
                  Change
                </Button>
              ),
          })}
        />
      )}
      <LimitDialog edited={edited} email={email} onClose={() => setEdited(null)} />
    </PanelSection>
  );
}
