import { Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../../components/dialog.tsx";
import type { Member } from "../../../contract/staff-people.ts";
import { PanelSection } from "../../components/panel-section.tsx";
import { fullName } from "../../people/person-name.tsx";
import { PersonStatusBadge } from "../../people/person-status.tsx";
import { useMayCall } from "../../portal/use-may-call.ts";
import { type Asked, PersonAccess } from "./person-access.tsx";
import { PersonData } from "./person-data.tsx";
import { PersonEmail } from "./person-email.tsx";
import { PersonForm } from "./person-form.tsx";
import { PersonSessions } from "./person-sessions.tsx";

export default function PersonDialog({ member, onClose }: { member: Member | null; onClose: () => void }) {
  return (
    <Dialog opened={member !== null} onClose={onClose} title={member ? <bdi>{fullName(member)}</bdi> : ""} size="xl">
      {member && <PersonShown key={member.id} member={member} />}
    </Dialog>
  );
}

function PersonShown({ member }: { member: Member }) {
  const [asked, setAsked] = useState<Asked | "erase">(null);
  const mayCall = useMayCall();
  const mayChange = mayCall("admin/people/change") && member.status !== "erased";
  const hasJoined = member.status === "active" || member.status === "suspended";
  return (
    <Stack gap="xl">
      <Text style={{ overflowWrap: "anywhere" }}>
        {member.email} <PersonStatusBadge status={member.status} />
      </Text>
      {mayChange && (
        <PanelSection title="Name and phone">
          <PersonForm member={member} />
        </PanelSection>
      )}
      {mayChange && mayCall("admin/people/correct-email") && (
        <PanelSection title="E-mail address">
          <PersonEmail member={member} />
        </PanelSection>
      )}
      {mayChange && hasJoined && (
        <PanelSection title="Role and access">
          <PersonAccess member={member} asked={asked === "erase" ? null : asked} onAsk={setAsked} />
        </PanelSection>
      )}
      {hasJoined && (
        <PanelSection title="Signed in">
          <PersonSessions id={member.id} />
        </PanelSection>
      )}
      {mayChange && mayCall("admin/people/request-data") && (
        <PanelSection title="Data protection">
          <PersonData
            email={member.email}
            asking={asked === "erase"}
            onAsk={(asking) => setAsked(asking ? "erase" : null)}
          />
        </PanelSection>
      )}
    </Stack>
  );
}
