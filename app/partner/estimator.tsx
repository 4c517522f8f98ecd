import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import type { ListedPerson } from "../../contract/people.ts";
import { call } from "../api.ts";
import { PageTitle } from "../components/page-title.tsx";
import { CustomerRefused, isNoCustomer, noneOfYours } from "../components/customer-refused.tsx";
import { Estimator } from "../estimator/estimator.tsx";
import { useAddedDevices } from "../estimator/use-added-devices.ts";
import { ListFailed, ListLoading } from "../lists/list-state.tsx";
import { Guard } from "../portal/guard.tsx";
import { mayGetEstimate } from "./estimate-path.ts";

export const meta = () => [{ title: `Estimate for a customer – ${brand.name}` }];

/** The estimator for one of the partner's customers, who gets the proposal and owns the quote. */
export default function PartnerEstimator() {
  return (
    <Guard to={{ needs: "partner/create-estimate" }}>
      <EstimateForCustomer />
    </Guard>
  );
}

function EstimateForCustomer() {
  const { email = "" } = useParams();
  const customer = useQuery({
    queryKey: ["partner/get-user-by-partner-email", { email }],
    queryFn: async ({ signal }) => (await call("partner/get-user-by-partner-email", { email }, signal)).user[0] ?? null,
  });
  return (
    <>
      <PageTitle
        title={customer.data ? `Estimate for ${customer.data.organization_name}` : "Estimate for a customer"}
        hint="Count the customer's devices. The proposal goes to the customer by e-mail and to its My Quotes, where it can be bought."
      />
      {customer.isPending && <ListLoading rows={6} />}
      {customer.isError &&
        (isNoCustomer(customer.error) ? (
          <Bound customer={null} />
        ) : (
          <ListFailed message={messages.fetchFailed} onRetry={() => void customer.refetch()} />
        ))}
      {customer.isSuccess && <Bound customer={customer.data} />}
    </>
  );
}

function EstimatorFor({ customer }: { customer: ListedPerson }) {
  const isReady = useAddedDevices(customer.id);
  return isReady && <Estimator customer={customer} />;
}

function Bound({ customer }: { customer: ListedPerson | null }) {
  if (customer && mayGetEstimate(customer)) return <EstimatorFor key={customer.id} customer={customer} />;
  const reason =
    customer === null
      ? noneOfYours
      : customer.status === "suspended"
        ? "This customer is suspended: no estimate can be made for it now. Please write to us."
        : "The invitation of this customer has expired. Please send it again first.";
  return <CustomerRefused list="/partner/listuser">{reason}</CustomerRefused>;
}
