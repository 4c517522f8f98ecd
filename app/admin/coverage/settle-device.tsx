import { Button, Group, NumberInput, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { coverageLimits, matchRuleKinds, places } from "../../../contract/coverage-words.ts";
import type { CoveredDevice, DeviceDecision } from "../../../contract/coverage.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Refusal } from "../../components/refusal.tsx";
import { Facts } from "../../components/panel-section.tsx";
import { refreshCoverage } from "../../coverage/coverage-readers.ts";
import { toast } from "../../toast.ts";
import { TypeSelect, typeOf } from "./type-select.tsx";

export interface SettleDeviceProps {
  device: CoveredDevice | null;
  email: string;
  onClose: () => void;
}

/** Says of which type a device is, that it is not to be watched, or how long it may be silent. */
export default function SettleDevice({ device, email, onClose }: SettleDeviceProps) {
  return (
    <Dialog opened={device !== null} onClose={onClose} title={device ? `What is ${device.name}?` : ""} size="lg">
      {device && <SettleForm key={device.id} device={device} email={email} onClose={onClose} />}
    </Dialog>
  );
}

/** A press of a button that decides about the device; `button` names it. */
interface Press {
  button: string;
  decision: DeviceDecision["decision"];
}

/** A button's props: while one of several buttons is sending, the others are disabled. */
type Pressing = (
  button: string,
  decision: Press["decision"] | null,
) => {
  loading: boolean;
  disabled: boolean;
  onClick: () => void;
};

function SettleForm({ device, email, onClose }: SettleDeviceProps & { device: CoveredDevice }) {
  const queries = useQueryClient();
  const [type, setType] = useState("");
  const [minutes, setMinutes] = useState<number | string>(device.hasOwnLimit ? device.silenceMinutes : "");
  const decide = useMutation({
    mutationFn: ({ decision }: Press) => call("admin/coverage/devices/decide", { email, ids: [device.id], decision }),
    onSuccess: async ({ message }) => {
      toast.success(message);
      await refreshCoverage(queries);
      onClose();
    },
  });
  const pressing: Pressing = (button, decision) => {
    const isPressed = decide.isPending && decide.variables.button === button;
    return {
      loading: isPressed,
      disabled: !decision || (decide.isPending && !isPressed),
      onClick: () => decision && decide.mutate({ button, decision }),
    };
  };
  const chosen = typeOf(type);
  return (
    <Stack gap="lg">
      <Facts facts={factsOf(device)} />
      {decide.error && <Refusal>{decide.error.message}</Refusal>}
      <MissingTypes email={email} pressing={pressing} />
      <Group align="flex-end" gap="sm">
        <TypeSelect data-autofocus value={type} onChange={setType} />
        <Button size="md" {...pressing("chosen", chosen && { is: "type", ...chosen })}>
          It is this
        </Button>
      </Group>
      <Group gap="sm">
        <Button variant="default" {...pressing("not ours", { is: "not_ours" })}>
          Not to be watched
        </Button>
        {device.matchedBy === "hand" && (
          <Button variant="default" {...pressing("rules", { is: "rules" })}>
            As the rules say
          </Button>
        )}
      </Group>
      <Group align="flex-end" gap="sm">
        <NumberInput
          label="Silent after so many minutes"
          description="For this device only; leave empty to use the limit of its type"
          min={coverageLimits.silenceMinutesMin}
          max={coverageLimits.silenceMinutesMax}
          allowDecimal={false}
          value={minutes}
          onChange={setMinutes}
        />
        <Button
          variant="default"
          size="md"
          {...pressing("limit", { is: "limit", minutes: minutes === "" ? null : Number(minutes) })}
        >
          Set
        </Button>
      </Group>
    </Stack>
  );
}

function factsOf({ address, os, groups, logSources, place, deviceType, matchedBy }: CoveredDevice) {
  const by = matchedBy === "hand" ? "by hand" : matchedBy && `by ${matchRuleKinds[matchedBy].toLowerCase()}`;
  return [
    ["Address", address],
    ["System", os],
    ["Groups", groups.join(", ")],
    ["Log sources", logSources.join(", ")],
    ["Taken for", [deviceType, by, places[place]].filter(Boolean).join(", ")],
  ] as const;
}

/** The unknown device is most likely one of the contracted types that are missing: one press says so. */
function MissingTypes({ email, pressing }: { email: string; pressing: Pressing }) {
  const { data } = useQuery({
    queryKey: ["admin/coverage", { email }],
    queryFn: ({ signal }) => call("admin/coverage", { email }, signal),
  });
  const missing = data?.lines.filter((line) => line.missing > 0) ?? [];
  if (missing.length === 0) return null;
  return (
    <div>
      <Text fz="sm" mb={4}>
        Contracted, and not all there:
      </Text>
      <Group gap="sm">
        {missing.map(({ service, deviceType, name, missing: number }) => {
          const key = `${service} ${deviceType}`;
          return (
            <Button key={key} variant="light" {...pressing(key, { is: "type", service, deviceType })}>
              {name} ({number} missing)
            </Button>
          );
        })}
      </Group>
    </div>
  );
}
