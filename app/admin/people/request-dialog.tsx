import { Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Email } from "../../../contract/fields.ts";
import { Dialog } from "../../components/dialog.tsx";
import { PersonData } from "./person-data.tsx";

/** Requests a copy or an erasure by e-mail address: estimates and contact requests have no account to open. */
export default function RequestDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const [asking, setAsking] = useState(false);
  const email = Email.safeParse(typed);
  return (
    <Dialog opened={opened} onClose={onClose} title="New data request">
      <Stack gap="md">
        <TextInput
          label="E-mail address of the person"
          description="With or without an account: estimates, contact requests and invitations are found by it"
          type="email"
          autoComplete="off"
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {email.success ? (
          <PersonData key={email.data} email={email.data} isAtList asking={asking} onAsk={setAsking} />
        ) : (
          <Text c="var(--site-muted)">Then choose a copy of all data, or their erasure.</Text>
        )}
      </Stack>
    </Dialog>
  );
}
