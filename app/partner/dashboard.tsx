import { Text } from "@mantine/core";
import { brand } from "../../contract/brand.ts";
import { PageTitle } from "../components/page-title.tsx";

export const meta = () => [{ title: `Dashboard – ${brand.name}` }];

export default function PartnerDashboard() {
  return (
    <>
      <PageTitle title="Dashboard" />
      <Text c="var(--site-muted)">The screens of this area are being built.</Text>
    </>
  );
}
