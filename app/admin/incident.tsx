import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { useParams } from "react-router";
import { brand } from "../../contract/brand.ts";
import type { IncidentRoom as Room, TimelineFact } from "../../contract/incidents.ts";
import { openedLater } from "../components/later.tsx";
import { PanelSection } from "../components/panel-section.tsx";
import { useStateOf } from "../components/use-state-of.ts";
import { IncidentRoom } from "../incidents/incident-room.tsx";
import type { TellDialogProps } from "./incidents/tell-dialog.tsx";
import { tellings, type Told } from "./incidents/tellings.ts";

export const meta = () => [{ title: `Incident – ${brand.name}` }];

const TellDialog = openedLater<TellDialogProps>(() => import("./incidents/tell-dialog.tsx"), { told: null });

/** An incident as our team works it. */
export default function Incident() {
  const { id = "" } = useParams();
  const [told, setTold] = useStateOf<TellDialogProps["told"]>(id, null);
  const [room, setRoom] = useState<Room | null>(null);
  const correct = (fact: TimelineFact, shown: Room) => {
    setRoom(shown);
    setTold({ news: fact.news as Told, corrects: fact });
  };
  return (
    <>
      <IncidentRoom
        reader="admin"
        onCorrect={correct}
        tools={(shown) => (
          <Tools
            room={shown}
            onTell={(news) => {
              setRoom(shown);
              setTold({ news, corrects: null });
            }}
          />
        )}
      />
      <TellDialog told={told} room={room} onClose={() => setTold(null)} />
    </>
  );
}

const order: readonly Told[] = [
  "seen",
  "owner",
  "investigating",
  "action",
  "asked",
  "answered",
  "waiting",
  "resumed",
  "severity",
  "contained",
  "resolved",
  "closed",
  "reopened",
  "merged",
  "commented",
];

/** The usual course of an incident; the first of these that is possible is the primary action. */
const course: readonly Told[] = ["seen", "investigating", "contained", "resolved", "closed"];

/** The news that can be told now, by the table of states. */
function Tools({ room, onTell }: { room: Room; onTell: (news: Told) => void }) {
  const isPointless: Partial<Record<Told, boolean>> = {
    seen: room.state !== "new",
    answered: room.questions.every(({ answer }) => answer !== null),
    resumed: room.waits_for === null,
    investigating: room.state === "investigating",
  };
  const possible = order.filter((news) => room.can.includes(news) && !isPointless[news]);
  const next = course.find((news) => possible.includes(news));
  const shown = next ? [next, ...possible.filter((news) => news !== next)] : possible;
  return (
    <div className="screen-only">
      <PanelSection
        level={2}
        title="What happens next"
        hint="Each is recorded with its time, and the customer sees it."
      >
        <Group gap="xs">
          {shown.map((news) => (
            <Button key={news} variant={news === next ? "filled" : "default"} onClick={() => onTell(news)}>
              {tellings[news].label}
            </Button>
          ))}
        </Group>
      </PanelSection>
    </div>
  );
}
