import { Button } from "@mantine/core";
import { useState } from "react";
import { openedLater } from "../../components/later.tsx";

const RequestDialog = openedLater<{ opened: boolean; onClose: () => void }>(() => import("./request-dialog.tsx"), {
  opened: false,
});

/** A request for an e-mail address, for people without an account. */
export function RequestForAddress() {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button size="md" onClick={() => setOpened(true)}>
        New request
      </Button>
      <RequestDialog opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}
