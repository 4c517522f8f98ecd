import { Button, Container, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { brand } from "../../contract/brand.ts";

export const meta = () => [
  { title: brand.name },
  {
    name: "description",
    content:
      "A security operations centre by subscription: monitoring, detection and response around the clock, priced by device.",
  },
];

const claims = [
  ["24x7", "monitoring, threat detection and incident response"],
  ["365 days", "of hot log retention, with ingested logs stored in India"],
  ["Unlimited", "log ingestion: no charge by events per second or daily volume"],
  ["3-5X", "lower total cost of ownership, by our own reckoning"],
] as const;

export default function Home() {
  return (
    <Container component="main" id="main" size="lg" py={{ base: 48, sm: 96 }}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing={64} verticalSpacing={48}>
        <Stack gap="lg" justify="center" align="flex-start">
          <Title order={1} fz={{ base: 38, sm: 54 }} lh={1.08} lts={-1.2} style={{ textWrap: "balance" }}>
            Your security operations centre, without building one
          </Title>
          <Text fz="lg" c="var(--site-muted)" maw={520}>
            We collect the logs of your servers, networks and clouds, watch them day and night, and act on what we find.
            You pay by the devices we watch, not by the noise they make.
          </Text>
          <Group gap="sm">
            <Button component={Link} to="/estimator" size="lg">
              Get a quote
            </Button>
            <Button component={Link} to="/login" size="lg" variant="default">
              Sign in
            </Button>
          </Group>
        </Stack>
        <Watchtower />
      </SimpleGrid>
      <SimpleGrid
        component="ul"
        cols={{ base: 1, xs: 2, md: 4 }}
        mt={72}
        p={0}
        spacing="lg"
        style={{ listStyle: "none" }}
      >
        {claims.map(([figure, what]) => (
          <Stack
            key={figure}
            component="li"
            gap={2}
            pt="md"
            style={{ borderBlockStart: `3px solid ${brand.themeColour}` }}
          >
            <Text fz={26} fw={700}>
              {figure}
            </Text>
            <Text c="var(--site-muted)">{what}</Text>
          </Stack>
        ))}
      </SimpleGrid>
    </Container>
  );
}

/** Sources around an eye: what the service does, drawn for this page. */
function Watchtower() {
  const sources = ["Servers", "Firewalls", "Cloud", "E-mail", "Endpoints", "Databases"];
  return (
    <svg
      viewBox="0 0 480 420"
      role="img"
      aria-label="Logs from six kinds of sources run to one watching eye"
      style={{ width: "100%", height: "auto" }}
    >
      <circle cx="240" cy="210" r="150" fill="none" stroke="var(--site-border)" strokeWidth="1.5" />
      <circle
        cx="240"
        cy="210"
        r="96"
        fill="none"
        stroke="var(--site-border)"
        strokeWidth="1.5"
        strokeDasharray="3 7"
      />
      {sources.map((name, index) => {
        const angle = (index / sources.length) * 2 * Math.PI - Math.PI / 2;
        const [x, y] = [Math.round(240 + 150 * Math.cos(angle)), Math.round(210 + 150 * Math.sin(angle))];
        return (
          <g key={name}>
            <line x1={x} y1={y} x2="240" y2="210" stroke={brand.themeColour} strokeWidth="1.5" strokeDasharray="2 6" />
            <rect
              x={x - 52}
              y={y - 19}
              width="104"
              height="38"
              rx="12"
              fill="var(--site-surface)"
              stroke="var(--site-border)"
            />
            <text x={x} y={y + 5} textAnchor="middle" fontSize="14" fontWeight="600" fill="var(--site-ink)">
              {name}
            </text>
          </g>
        );
      })}
      <rect x="186" y="156" width="108" height="108" rx="30" fill={brand.themeColour} />
      <path
        d="M202 210c11-17 24-26 38-26s27 9 38 26c-11 17-24 26-38 26s-27-9-38-26Z"
        fill="none"
        stroke="#fff"
        strokeWidth="6"
      />
      <circle cx="240" cy="210" r="11" fill="#fff" />
    </svg>
  );
}
