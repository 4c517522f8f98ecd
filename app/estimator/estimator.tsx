import { Box, Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { messages } from "../../contract/messages.ts";
import type { ListedPerson } from "../../contract/people.ts";
import { areaOf } from "../../contract/roles.ts";
import { call } from "../api.ts";
import { useSession } from "../session.ts";
import { countOf } from "../components/count-of.ts";
import { showRupees } from "../components/display.ts";
import { PartIsGone, shownLater } from "../components/later.tsx";
import { ListFailed } from "../lists/list-state.tsx";
import { DeviceGroups } from "./device-groups.tsx";
import classes from "./estimator.module.css";
import { PricePanel, usePrice } from "./price-panel.tsx";
import { QuoteForm } from "./quote-form.tsx";
import {
  countDevices,
  type Draft,
  emptyForm,
  fromCustomer,
  fromProfile,
  partSelection,
  placeOfDraft,
  restoreDraft,
  saveDraft,
  type Selection,
  setDevice,
} from "./selection.ts";
import type { Sent, SentEstimateProps } from "./sent-estimate.tsx";
import { useCatalogue } from "./use-catalogue.ts";

const WhatWasSent = ({ sent }: SentEstimateProps) => (
  <Text role="status">
    Your estimate has the number {sent.number}. Its proposal comes by e-mail to {sent.form.userEmail}.
  </Text>
);
const SentEstimate = shownLater(
  () => import("./sent-estimate.tsx"),
  WhatWasSent,
  (props) => (
    <Stack gap="md">
      <WhatWasSent {...props} />
      <PartIsGone />
    </Stack>
  ),
);

/**
 * The estimator: counts devices, shows the price as they change, and sends the estimate, the visitor's own or one that
 * a partner makes for a customer.
 */
export function Estimator({ customer = null }: { customer?: ListedPerson | null }) {
  const [{ selection, form }, setDraft] = useDraft(customer);
  const { catalogue, isLive, isSettled } = useCatalogue();
  const { offered, gone } = useMemo(() => partSelection(catalogue, selection), [catalogue, selection]);
  const asked = useMemo(() => offered.map(({ group: _group, name: _name, ...device }) => device), [offered]);
  // Until the catalogue has settled, the selection may hold types that are no longer offered.
  const price = usePrice(isSettled ? asked : none);
  const { profile, failed: profileFailed, retry } = useCustomerProfile();
  const [sent, setSent] = useState<Sent | null>(null);
  const change = useCallback(
    (service: string, deviceType: string, number: number) =>
      setDraft((draft) => ({ ...draft, selection: setDevice(draft.selection, { service, deviceType, number }) })),
    [setDraft],
  );
  return (
    <div className={classes.columns}>
      <div className={classes.groups}>
        <DeviceGroups catalogue={catalogue} isLive={isLive} offered={offered} onChange={change} />
      </div>
      <div className={classes.aside}>
        <PricePanel offered={offered} gone={isLive ? gone : none} price={price} onRemove={change} />
      </div>
      <div className={classes.form}>
        {profileFailed && (
          <Box mb="md">
            <ListFailed message={`${messages.profileFailed} You can fill in the form yourself.`} onRetry={retry} />
          </Box>
        )}
        {sent ? (
          <SentEstimate
            sent={sent}
            customer={customer}
            profile={profile}
            onAnother={() => setSent(null)}
            onClear={() => {
              setSent(null);
              setDraft((draft) => ({ ...draft, selection: [] }));
            }}
          />
        ) : (
          <QuoteForm
            selection={asked}
            values={form}
            onChange={(values) => setDraft((draft) => ({ ...draft, form: { ...draft.form, ...values } }))}
            known={customer ? fromCustomer(customer) : profile && fromProfile(profile)}
            customer={customer}
            onSent={(answer) => {
              setSent(answer);
              setDraft((draft) => ({ ...draft, form: emptyForm }));
            }}
          />
        )}
      </div>
      {offered.length > 0 && (
        <div className={classes.bar}>
          <div className={classes.sum}>
            <Text fz="sm" c="var(--site-muted)">
              {countOf(countDevices(offered), "device")}, a year
            </Text>
            <Text fw={700} fz="lg" className={`tabular ${classes.total}`}>
              {price.data ? showRupees(price.data.tax.total) : "…"}
            </Text>
            <Button component="a" href="#selected-devices" variant="light" size="md">
              Review
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}

const none: Selection = [];

/** The draft: restored after a reload or a sign-in, saved as it changes; one for a customer ends with the tab. */
function useDraft(customer: ListedPerson | null) {
  const place = useMemo(() => placeOfDraft(customer?.id ?? null), [customer?.id]);
  const [draft, setDraft] = useState<Draft>({ selection: [], form: emptyForm });
  const restored = useRef(false);
  useEffect(() => {
    const kept = restoreDraft(place);
    if (kept) setDraft((typed) => withTyped(kept, typed));
    restored.current = true;
  }, [place]);
  useEffect(() => {
    // The first run precedes the restored draft, and must not overwrite it.
    if (restored.current && draft !== empty.current) saveDraft(place, draft);
  }, [place, draft]);
  const empty = useRef(draft);
  return [draft, setDraft] as const;
}

/** The restored draft, overlaid with what was typed before it was restored. */
function withTyped(kept: Draft, typed: Draft): Draft {
  const form = Object.fromEntries(Object.entries(typed.form).filter(([, value]) => value !== ""));
  return { selection: typed.selection.reduce(setDevice, kept.selection), form: { ...kept.form, ...form } };
}

/** The profile of a signed-in customer; partners and administrators fill in the form for others, as visitors do. */
function useCustomerProfile() {
  const { role, email } = useSession();
  const isCustomer = role !== null && areaOf(role) === "user";
  const { data, isError, refetch } = useQuery({
    queryKey: ["user/me", email],
    queryFn: ({ signal }) => call("user/me", {}, signal),
    enabled: isCustomer,
  });
  return {
    profile: isCustomer ? (data?.user ?? null) : null,
    failed: isCustomer && isError && !data,
    retry: () => void refetch(),
  };
}
