import { Alert } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import { ApiError, call } from "../api.ts";
import { ListEmpty, ListFailed } from "../lists/list-state.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { PartnerStats, PartnerStatsLoading } from "../reports/partner-stats.tsx";

export const meta = () => [{ title: `Partner Dashboard – ${brand.name}` }];

/** A partner's dashboard as the partner sees it, for administrators; read-only. */
export default function PartnerDashboardForAdmin() {
  const { email = "" } = useParams();
  const stats = useQuery({
    queryKey: ["admin/getPartnerDashboardByEmail", { email }],
    queryFn: ({ signal }) => call("admin/getPartnerDashboardByEmail", { email }, signal),
  });
  const missing = stats.error instanceof ApiError && [404, 422].includes(stats.error.status);
  return (
    <>
      <PageTitle title="Dashboard" hint={email} />
      <Alert color="brand" variant="light" icon={<IconEye aria-hidden />} mb="lg" role="note">
        These are the six figures as this partner sees them. Nothing can be changed here.
      </Alert>
      {stats.isPending && <PartnerStatsLoading />}
      {missing && <ListEmpty message={messages.noPartners} />}
      {stats.isError && !missing && (
        <ListFailed message={messages.dashboardFailed} onRetry={() => void stats.refetch()} />
      )}
      {stats.isSuccess && <PartnerStats stats={stats.data} />}
    </>
  );
}
