import { Box, Text, Title } from "@mantine/core";
import { brand } from "../../contract/brand.ts";
import { Estimator } from "../estimator/estimator.tsx";
import { pageMeta } from "../content/page-meta.ts";
import site from "./site.module.css";

export const meta = () =>
  pageMeta(
    "/estimator",
    `Estimator – ${brand.name}`,
    "Count the devices you want watched and get a priced SOC proposal by e-mail within seconds.",
  );

export default function PublicEstimator() {
  return (
    <Box component="main" id="main" className={site.container ?? ""} py={{ base: 32, sm: 56 }} pb={96}>
      <Box mb={{ base: 28, sm: 44 }} maw={720}>
        <Title order={1} fz={{ base: 32, sm: 44 }} lh={1.12} lts={-0.9} style={{ textWrap: "balance" }}>
          What should we watch for you?
        </Title>
        <Text fz="lg" c="var(--site-muted)" mt="sm">
          Count the devices in each group. The price follows the number of devices alone, whatever they log, and falls
          as the number grows.
        </Text>
      </Box>
      <noscript>
        <Box component="p" mb="lg">
          The estimator needs JavaScript. Please switch it on in your browser and reload the page, or write to{" "}
          <a href={`mailto:${brand.emails.sales}`}>{brand.emails.sales}</a> how many devices of which kind you have.
        </Box>
      </noscript>
      <Estimator />
    </Box>
  );
}
