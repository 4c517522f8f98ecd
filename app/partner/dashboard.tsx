import { useQuery } from "@tanstack/react-query";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import { call } from "../api.ts";
import { ListFailed } from "../lists/list-state.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { CustomersBoard } from "../service-reports/customers-board.tsx";
import { PartnerStats, PartnerStatsLoading } from "../reports/partner-stats.tsx";

export const meta = () => [{ title: `Dashboard – ${brand.name}` }];

export default function PartnerDashboard() {
  const stats = useQuery({
    queryKey: ["partner/get-partner-dashboard"],
    queryFn: ({ signal }) => call("partner/get-partner-dashboard", {}, signal),
  });
  return (
    <>
      <PageTitle title="Dashboard" hint="How your customers are watched, and what they bought." />
      <CustomersBoard area="partner">
        {stats.isPending && <PartnerStatsLoading />}
        {stats.isError && <ListFailed message={messages.dashboardFailed} onRetry={() => void stats.refetch()} />}
        {stats.data && <PartnerStats stats={stats.data} />}
      </CustomersBoard>
    </>
  );
}
