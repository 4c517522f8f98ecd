import { Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type EntityClass, entityClasses, entityClassNames } from "../../contract/entity-classes.ts";
import type { ClassesSaid } from "../../contract/obligations.ts";
import { call } from "../api.ts";
import { CheckBox } from "../components/check-box.tsx";
import { Dialog } from "../components/dialog.tsx";
import { DialogEnd } from "../forms/dialog-end.tsx";
import { toast } from "../toast.ts";
import classes from "./obligations.module.css";

export interface ClassesDialogProps {
  /** What was said last. */
  said: ClassesSaid | null;
  onClose: () => void;
}

/** Says what the organisation is to regulators. */
export default function ClassesDialog({ said, onClose }: ClassesDialogProps) {
  return (
    <Dialog opened={said !== null} onClose={onClose} title="What your organization is to regulators" size="lg">
      {said && <ClassesForm key={said.version} said={said} onClose={onClose} />}
    </Dialog>
  );
}

const groups = [...new Set(entityClassNames.map((each) => entityClasses[each].group))];

function ClassesForm({ said, onClose }: { said: ClassesSaid; onClose: () => void }) {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<readonly EntityClass[]>(said.classes);
  const sending = useMutation({
    mutationFn: () => call("user/obligations/classes", { classes: [...chosen], version: said.version }),
    onSuccess: ({ message }) => {
      toast.success(message);
      onClose();
    },
    onSettled: () =>
      Promise.all(
        ["user/obligations", "user/incidents/{id}/obligations"].map((name) =>
          queries.invalidateQueries({ queryKey: [name] }),
        ),
      ),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!sending.isPending) sending.mutate();
      }}
    >
      <Stack gap="md">
        <Text>
          Ask your compliance officer. Choose all that your organization is: whatever binds one of them is counted. What
          you say is kept with your name and the time, and the answers before it stay.
        </Text>
        {groups.map((group) => (
          <fieldset key={group} className={classes.types}>
            <legend>
              <strong>{group}</strong>
            </legend>
            {entityClassNames
              .filter((each) => entityClasses[each].group === group)
              .map((each) => (
                <CheckBox
                  key={each}
                  label={entityClasses[each].name}
                  checked={chosen.includes(each)}
                  onChange={(checked) =>
                    setChosen(checked ? [...chosen, each] : chosen.filter((other) => other !== each))
                  }
                />
              ))}
          </fieldset>
        ))}
        <Text fz="sm" c="var(--site-muted)">
          Licensed in GIFT City, the IFSCA takes the place of RBI, SEBI and IRDAI. For the United Arab Emirates no clock
          is shipped: one stands here once we have entered it with its source.
        </Text>
        <DialogEnd sending={sending} submit="Save" onClose={onClose} />
      </Stack>
    </form>
  );
}
