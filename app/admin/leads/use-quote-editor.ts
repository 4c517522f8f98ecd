import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { keyOf } from "../../../contract/devices.ts";
import type { LeadQuote } from "../../../contract/lead-details.ts";
import type { Lead } from "../../../contract/lead-list.ts";
import { limits } from "../../../contract/limits.ts";
import type { OfferedDevice } from "../../../contract/staff-quotes.ts";
import { ApiError, call } from "../../api.ts";
import { setDevice } from "../../estimator/selection.ts";
import { keepTyped, keptTyped } from "../../forms/kept-typed.ts";
import { toast } from "../../toast.ts";
import type { OnDirty } from "./lead-notes.tsx";
import { fetchLeadNow, refreshLeads } from "./use-leads.ts";

/** The customer fields of a new quote. */
const customerOf = (lead: Lead | null) => ({
  userName: lead?.user_name ?? "",
  userEmail: lead?.user_email ?? "",
  organizationName: lead?.organization_name ?? "",
  phoneNumber: lead?.phone_number ?? "",
  numberOfUsers: lead ? String(lead.number_of_users) : "",
});
export type Customer = ReturnType<typeof customerOf>;

const termsOf = (quote: LeadQuote | null) => ({
  devices: quote?.devices ?? [],
  /** Empty means the card's volume discount. */
  discount: (quote?.ownDiscount ? quote.discountPercent : "") as number | string,
  note: quote?.note ?? "",
});

interface Kept {
  customer: Customer;
  typed: ReturnType<typeof termsOf>;
  revision: number;
  quoteId: string;
  start: Start;
}

/** The values that the form starts from. A colleague's later change of the lead does not count as typed here. */
const startOf = (lead: Lead | null, quote: LeadQuote | null) => ({ customer: customerOf(lead), typed: termsOf(quote) });
type Start = ReturnType<typeof startOf>;

/** The state of the quote editor, for a new quote or the next revision of one; the price follows what is typed. */
export function useQuoteEditor(
  { lead, quote }: { lead: Lead | null; quote: LeadQuote | null },
  onDirty: OnDirty,
  onDone: (leadId: string | null) => void,
) {
  const queries = useQueryClient();
  const keptAs = `quote ${quote?.id ?? lead?.id ?? "for nobody yet"}`;
  const [kept] = useState(() => keptTyped(keptAs) as Kept | null);
  const [start] = useState(() => kept?.start ?? startOf(lead, quote));
  const [customer, setCustomer] = useState(kept?.customer ?? start.customer);
  const [typed, setTyped] = useState(kept?.typed ?? start.typed);
  const [revision, setRevision] = useState(kept?.revision ?? quote?.revision ?? 0);
  // One id for all attempts: if an earlier one did arrive, no second quote is made, and changed content is refused.
  const [quoteId] = useState(() => kept?.quoteId ?? crypto.randomUUID());
  const terms = useMemo(
    () => ({
      devices: typed.devices,
      discountPercent: typed.discount === "" ? null : Number(typed.discount),
    }),
    [typed],
  );
  const [asked] = useDebouncedValue(terms, limits.priceDebounceMs);
  const price = useQuery({
    queryKey: ["admin/leads/price-quote", quote?.id ?? null, asked],
    queryFn: ({ signal }) => call("admin/leads/price-quote", { quote_id: quote?.id ?? null, ...asked }, signal),
    enabled: asked.devices.some(({ option }) => !option),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isPriced = price.isSuccess && !price.isPlaceholderData && asked === terms;
  const isDirty = JSON.stringify({ customer, typed }) !== JSON.stringify(start);
  const send = useMutation({
    mutationFn: async () => {
      const shown = { ...terms, note: typed.note, total_cost: price.data?.total ?? "" };
      if (quote) {
        const { message } = await call("admin/leads/revise-quote", { quote_id: quote.id, revision, ...shown });
        return { message, lead_id: lead?.id ?? null };
      }
      return call("admin/leads/make-quote", { quote_id: quoteId, lead_id: lead?.id ?? null, ...customer, ...shown });
    },
    onSuccess: async ({ message, lead_id }) => {
      toast.success(message);
      keepTyped(keptAs, null);
      onDirty(keptAs, false);
      onDone(lead_id);
      await refreshLeads(queries);
    },
    onError: async (error) => {
      if (!(error instanceof ApiError) || error.status !== 409) return;
      // Refetches the price and the revision to be replaced: they have changed, as the message says; the input stays.
      await price.refetch();
      if (lead && quote) setRevision(await latestRevision(queries, lead.id, quote));
      // If the message says that the quote exists already, the refreshed leads show it.
      if (!quote) await refreshLeads(queries);
    },
  });
  useEffect(() => {
    keepTyped(keptAs, isDirty ? ({ customer, typed, revision, quoteId, start } satisfies Kept) : null);
  }, [keptAs, isDirty, customer, typed, revision, quoteId, start]);
  useEffect(() => {
    onDirty(keptAs, isDirty);
    return () => onDirty(keptAs, false);
  }, [keptAs, isDirty, onDirty]);
  return {
    customer,
    changeCustomer: (part: Partial<Customer>) => setCustomer((before) => ({ ...before, ...part })),
    ...typed,
    change: (part: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...part })),
    setNumber: (service: string, deviceType: string, number: number) =>
      setTyped((before) => ({ ...before, devices: withNumber(before.devices, { service, deviceType, number }) })),
    price,
    isPriced,
    send,
    errors: send.error instanceof ApiError ? send.error.fields : {},
  };
}

async function latestRevision(queries: QueryClient, leadId: string, quote: LeadQuote): Promise<number> {
  const { requests } = await fetchLeadNow(queries, leadId);
  return requests.find((request) => request.quote?.id === quote.id)?.quote?.revision ?? quote.revision;
}

function withNumber(
  devices: OfferedDevice[],
  device: Pick<OfferedDevice, "service" | "deviceType" | "number">,
): OfferedDevice[] {
  const before = new Map(devices.map((each) => [keyOf(each), each]));
  return setDevice(devices, device).map(({ service, deviceType, number }) => {
    const { option = false, yearly = null } = before.get(keyOf({ service, deviceType })) ?? {};
    return { service, deviceType, number, option, yearly };
  });
}
