import { Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useState } from "react";
import classes from "./page-preview.module.css";

/** The page that shows the texts, before and after the change. Its scripts do not run. */
export function PagePreview({
  path,
  before,
  after,
  onBack,
}: {
  path: string;
  before: string;
  after: string;
  onBack: () => void;
}) {
  const [side, setSide] = useState<"before" | "after">("after");
  const page = side === "before" ? before : after;
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Button variant="subtle" size="md" leftSection={<IconArrowLeft size={18} aria-hidden />} onClick={onBack}>
          Back to the texts
        </Button>
        <Text c="var(--site-muted)">The page {path}</Text>
        <SegmentedControl
          aria-label="Which state of the page"
          value={side}
          onChange={(chosen) => setSide(chosen === "before" ? "before" : "after")}
          data={[
            { value: "before", label: "Before" },
            { value: "after", label: "After" },
          ]}
        />
      </Group>
      <iframe
        title={side === "before" ? "The page as it is" : "The page as it would be"}
        // Lets the page load the site's own style sheets; scripts stay forbidden.
        sandbox="allow-same-origin"
        // The page's own script, which does not run here, would set this before the first paint.
        srcDoc={page.replace("<html ", `<html data-mantine-color-scheme="${scheme()}" `)}
        className={classes.page}
      />
    </Stack>
  );
}

const scheme = () => (document.documentElement.dataset["mantineColorScheme"] === "dark" ? "dark" : "light");
