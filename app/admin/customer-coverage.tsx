import { Anchor, Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { brand } from "../../contract/brand.ts";
import type { CoveredDevice } from "../../contract/coverage.ts";
import { openedLater } from "../components/later.tsx";
import { CoverageView } from "../coverage/coverage-view.tsx";
import { CustomerTitle } from "../coverage/customer-title.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import type { SettleDeviceProps } from "./coverage/settle-device.tsx";

export const meta = () => [{ title: `Coverage of a customer – ${brand.name}` }];

const SettleDevice = openedLater<SettleDeviceProps>(() => import("./coverage/settle-device.tsx"), { device: null });

/** What a customer pays for, how much of it is really watched, and what each device is. */
export default function CoverageOfCustomer() {
  const { email = "" } = useParams();
  const [settled, setSettled] = useState<CoveredDevice | null>(null);
  const mayDecide = useMayCall()("admin/coverage/devices/decide");
  return (
    <>
      <CustomerTitle reader="admin" email={email}>
        <Group gap="sm">
          <Anchor component={Link} to="/admin/coverage">
            All customers
          </Anchor>
          <Button component={Link} to={`/admin/coverage-rules?of=${encodeURIComponent(email)}`} variant="default">
            Rules and limits
          </Button>
        </Group>
      </CustomerTitle>
      <CoverageView
        key={email}
        of={{ reader: "admin", email }}
        addTo={null}
        nothing={<Text c="var(--site-muted)">It begins with the customer’s first contract or first engine.</Text>}
        {...(mayDecide && {
          deviceActions: (device: CoveredDevice) => {
            const label = device.place === "unmatched" ? "Settle" : "Change";
            return (
              <Button variant="default" aria-label={`${label} ${device.name}`} onClick={() => setSettled(device)}>
                {label}
              </Button>
            );
          },
        })}
      />
      <SettleDevice device={settled} email={email} onClose={() => setSettled(null)} />
    </>
  );
}
