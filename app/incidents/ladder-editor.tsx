import { Anchor, Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Ladder } from "../../contract/ladders.ts";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { call } from "../api.ts";
import { shownLater } from "../components/later.tsx";
import { PanelSection } from "../components/panel-section.tsx";
import { ListFailed, ListLoading } from "../lists/list-state.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import classes from "./incidents.module.css";
import type { LadderFormProps } from "./ladder-form.tsx";

const LadderForm = shownLater<LadderFormProps>(
  () => import("./ladder-form.tsx"),
  () => <ListLoading rows={2} />,
);

/** The people whom we call in turn: the main account edits them, the organisation's other people read them. */
export function LadderEditor({ startsEditing = false }: { startsEditing?: boolean }) {
  const mayEdit = useMayCall()("user/ladder/save");
  const [edits, setEdits] = useState(startsEditing);
  const found = useQuery({ queryKey: ["user/ladder"], queryFn: ({ signal }) => call("user/ladder", {}, signal) });
  return (
    <PanelSection
      level={2}
      title="Whom we call in turn"
      hint={`The first at once, the next after ${limits.ladderStepMinutes} minutes each, until somebody is reached. People without an account may be named, too.`}
    >
      {found.isError && !found.data ? (
        <ListFailed message={messages.fetchFailed} onRetry={() => void found.refetch()} />
      ) : !found.data ? (
        <ListLoading rows={2} />
      ) : edits ? (
        <LadderForm ladder={found.data} onSaved={() => setEdits(false)}>
          <Shown ladder={found.data} />
        </LadderForm>
      ) : (
        <>
          <Shown ladder={found.data} />
          {mayEdit && (
            <Button variant="default" size="md" mt="md" onClick={() => setEdits(true)}>
              Change the contacts
            </Button>
          )}
        </>
      )}
    </PanelSection>
  );
}

function Shown({ ladder: { contacts } }: { ladder: Ladder }) {
  if (contacts.length === 0)
    return <Text>Nobody is named yet: we call the people of your organization who have an account.</Text>;
  return (
    <ol className={classes.timeline}>
      {contacts.map(({ name, says, phone, email }) => (
        <li key={`${name} ${email}`}>
          <strong>{name}</strong> {says && <span className={classes.muted}>{says}</span>}
          <div className="tabular">
            <Anchor href={`tel:${phone}`} fz="inherit" td="underline">
              {phone}
            </Anchor>
            , {email}
          </div>
        </li>
      ))}
    </ol>
  );
}
