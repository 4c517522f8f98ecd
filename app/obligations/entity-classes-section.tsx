import { Button, Text } from "@mantine/core";
import { entityClasses } from "../../contract/entity-classes.ts";
import type { ClassesSaid } from "../../contract/obligations.ts";
import { showTime } from "../components/display.ts";
import { PanelSection } from "../components/panel-section.tsx";

/** The organisation's regulatory classes; until they are given, nothing is ruled out. */
export function EntityClasses({ entity, onSay }: { entity: ClassesSaid; onSay: (() => void) | null }) {
  return (
    <PanelSection
      title="What the organization is to regulators"
      level={2}
      aside={
        onSay && (
          <Button variant={entity.version === 0 ? "filled" : "default"} onClick={onSay}>
            {entity.version === 0 ? "Say what you are" : "Change"}
          </Button>
        )
      }
    >
      {entity.classes.length === 0 ? (
        <Text>
          Nobody has said it yet: every clock that might apply is shown as “May apply”.
          {!onSay && " The main user of the organization can say it."}
        </Text>
      ) : (
        <>
          <Text>{entity.classes.map((each) => entityClasses[each].name).join("; ")}</Text>
          {entity.set && (
            <Text fz="sm" c="var(--site-muted)" mt={4}>
              Said by <bdi>{entity.set.name}</bdi>, {showTime(entity.set.at)}
            </Text>
          )}
        </>
      )}
    </PanelSection>
  );
}
