import { Checkbox, Group, NativeSelect, Stack, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Refusal } from "../../components/refusal.tsx";
import { ReadyButton } from "../../components/ready-button.tsx";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { showLimit } from "../../../contract/incident-agreement.ts";
import type { LevelVersion } from "../../../contract/incident-levels.ts";
import {
  clockKeys,
  clockNames,
  knownSeverities,
  severityNames,
  type WaitsFor,
  waitsFor,
} from "../../../contract/incident-states.ts";
import { ApiError, call } from "../../api.ts";
import { shownLater } from "../../components/later.tsx";
import type { OvertakenProps } from "../../components/overtaken.tsx";
import { useKeepUnsaved } from "../../components/use-keep-unsaved.ts";
import { PanelSection } from "../../components/panel-section.tsx";
import { toast } from "../../toast.ts";
import { showErrors, submitting } from "../../forms/form-errors.ts";
import { keepTyped } from "../../forms/kept-typed.ts";
import { asInstant } from "../../forms/time-typed.ts";
import { useTypedOn } from "../../forms/use-typed-on.ts";
import classes from "./levels.module.css";
import { agreementOf, errorsOf, type Typed, typedOf } from "./levels-typed.ts";

const Overtaken = shownLater<OvertakenProps>(
  async () => ({ default: (await import("../../components/overtaken.tsx")).Overtaken }),
  () => null,
);

const dayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

const keptAs = "service levels";

/** Publishes a new version; published versions are never changed. */
export default function LevelsEditor({ newest }: { newest: LevelVersion }) {
  const queries = useQueryClient();
  const saved = typedOf(newest.agreement);
  const form = useForm<Typed>({ initialValues: saved });
  const publishing = useMutation({
    mutationFn: ({ after, typed }: { after: number; typed: Typed }) =>
      call("admin/service-levels/post", {
        after,
        agreement: agreementOf(typed),
        ...(typed.holdsFrom && { holds_from: asInstant(typed.holdsFrom) }),
      }),
    onSuccess: ({ message }, { after, typed }) => {
      toast.success(message);
      noteSent(typed, after + 1);
    },
    onError: (error) => error instanceof ApiError && showErrors(form, errorsOf(error.fields)),
    // It may have failed because somebody else published first.
    onSettled: () => queries.invalidateQueries({ queryKey: ["admin/service-levels"] }),
  });
  const [version, overtaken, noteSent] = useTypedOn(keptAs, form, saved, newest.number, publishing.reset);
  useKeepUnsaved(
    () => form.isDirty(),
    "into the service levels",
    () => keepTyped(keptAs, null),
  );
  return (
    <PanelSection
      level={2}
      title="Publish another version"
      hint="Limits in minutes; leave empty what is not promised. Incidents keep the version they began with."
    >
      <form
        noValidate
        onSubmit={submitting(form, () => {
          if (!publishing.isPending) publishing.mutate({ after: version, typed: form.values });
        })}
      >
        <Stack gap="lg">
          <LimitFields form={form} />
          <Calendar form={form} />
          <TextInput
            label="Holds from"
            description="In Indian time (IST). Leave empty for now; never in the past"
            type="datetime-local"
            {...form.getInputProps("holdsFrom")}
          />
          {overtaken ? (
            <Overtaken {...overtaken}>Version {newest.number} was published meanwhile.</Overtaken>
          ) : (
            publishing.error && <Refusal>{publishing.error.message}</Refusal>
          )}
          <Group justify="end">
            <ReadyButton type="submit" size="md" loading={publishing.isPending} isReady={!overtaken}>
              Publish
            </ReadyButton>
          </Group>
        </Stack>
      </form>
    </PanelSection>
  );
}

const LimitFields = ({ form }: { form: ReturnType<typeof useForm<Typed>> }) => (
  <>
    {knownSeverities.map((severity) => (
      <fieldset key={severity} className={classes.severity}>
        <legend>
          <strong>{severityNames[severity]}</strong>
        </legend>
        <div className={classes.limits}>
          {clockKeys.map((clock) => (
            <Group key={clock} gap={6} align="end">
              <TextInput
                flex="1 1 8rem"
                label={`${clockNames[clock]}, minutes`}
                description={inWords(form.values, `${severity} ${clock}`)}
                inputMode="numeric"
                {...form.getInputProps(`limits.${severity} ${clock}.minutes`)}
              />
              <NativeSelect
                w="10rem"
                rightSectionWidth="1.875rem"
                aria-label={`${severity}, ${clockNames[clock]}: counted`}
                data={[
                  { value: "always", label: "At any hour" },
                  { value: "business", label: "Business hours" },
                ]}
                {...form.getInputProps(`limits.${severity} ${clock}.calendar`)}
              />
            </Group>
          ))}
        </div>
      </fieldset>
    ))}
  </>
);

/** The limit that is typed, as incidents will say it; an empty line until that can be said. */
function inWords({ limits, from, to }: Typed, name: string): string {
  const { minutes = "", calendar = "always" } = limits[name] ?? {};
  if (minutes.trim() === "") return "Nothing is promised";
  return /^[1-9]\d*$/.test(minutes.trim()) && from < to
    ? showLimit({ minutes: Number(minutes), calendar }, { from, to })
    : "\u00A0";
}

function Calendar({ form }: { form: ReturnType<typeof useForm<Typed>> }) {
  return (
    <>
      <TextInput
        label="Time zone"
        description="Such as Asia/Kolkata"
        maxLength={60}
        {...form.getInputProps("timeZone")}
      />
      <Checkbox.Group label="Days of business" {...form.getInputProps("days")}>
        <Group gap="md" mt="xs">
          {dayNames.map((name, index) => (
            <Checkbox key={name} size="md" value={String(index + 1)} label={name} />
          ))}
        </Group>
      </Checkbox.Group>
      <Group gap="md">
        <TextInput label="Begins at" type="time" {...form.getInputProps("from")} />
        <TextInput label="Ends at" type="time" {...form.getInputProps("to")} />
      </Group>
      <Textarea
        label="Holidays"
        description="One per line: 2027-01-26 Republic Day"
        autosize
        minRows={3}
        maxRows={12}
        {...form.getInputProps("holidays")}
      />
      {(Object.keys(waitsFor) as WaitsFor[]).map((waits) => (
        <Checkbox.Group key={waits} label={`${waitsFor[waits]} pauses`} {...form.getInputProps(`pauses.${waits}`)}>
          <Group gap="md" mt="xs">
            {clockKeys.map((clock) => (
              <Checkbox key={clock} size="md" value={clock} label={clockNames[clock]} />
            ))}
          </Group>
        </Checkbox.Group>
      ))}
    </>
  );
}
