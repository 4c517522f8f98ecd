import { Text } from "@mantine/core";
import { type EntityClass, entityClasses, entityClassNames } from "../../contract/entity-classes.ts";
import type { ClassesSaid } from "../../contract/obligations.ts";
import { call } from "../api.ts";
import { CheckBox } from "../components/check-box.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Overtaken } from "../components/overtaken.tsx";
import { DialogForm } from "../forms/form-dialog.tsx";
import { useKeptForm } from "../forms/use-kept-form.ts";
import classes from "./obligations.module.css";

export interface ClassesDialogProps {
  /** The classes given last. */
  said: ClassesSaid | null;
  onClose: () => void;
}

/** Sets the organisation's regulatory classes. */
export default function ClassesDialog({ said, onClose }: ClassesDialogProps) {
  return (
    <Dialog opened={said !== null} onClose={onClose} title="What your organization is to regulators" size="lg">
      {said && <ClassesForm key={said.version} said={said} onClose={onClose} />}
    </Dialog>
  );
}

const groups = [...new Set(entityClassNames.map((each) => entityClasses[each].group))];

function ClassesForm({ said, onClose }: { said: ClassesSaid; onClose: () => void }) {
  const first: { classes: EntityClass[] } = { classes: [...said.classes] };
  const { form, version, overtaken, leave } = useKeptForm("classes", first, onClose, {}, said.version);
  const chosen = form.values.classes;
  return (
    <DialogForm
      form={form}
      send={(typed) => call("user/obligations/classes", { ...typed, version })}
      refresh={["user/obligations", "user/incidents/{id}/obligations"]}
      submit="Save"
      onClose={leave}
    >
      {overtaken && <Overtaken {...overtaken} />}
      <Text>
        Ask your compliance officer. Choose all that your organization is: whatever binds one of them is counted. What
        you say is kept with your name and the time, and the answers before it stay.
      </Text>
      {groups.map((group, index) => (
        <fieldset key={group} className={classes.types}>
          <legend>
            <strong>{group}</strong>
          </legend>
          {entityClassNames
            .filter((each) => entityClasses[each].group === group)
            .map((each, place) => (
              <CheckBox
                key={each}
                label={entityClasses[each].name}
                {...(index === 0 && place === 0 && { "data-autofocus": true })}
                checked={chosen.includes(each)}
                onChange={(checked) =>
                  form.setFieldValue("classes", checked ? [...chosen, each] : chosen.filter((other) => other !== each))
                }
              />
            ))}
        </fieldset>
      ))}
      <Text fz="sm" c="var(--site-muted)">
        Licensed in GIFT City, the IFSCA takes the place of RBI, SEBI and IRDAI. For the United Arab Emirates no clock
        is shipped: one stands here once we have entered it with its source.
      </Text>
    </DialogForm>
  );
}
