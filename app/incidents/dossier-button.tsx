import { Button } from "@mantine/core";
import { IconFileZip } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { call } from "../api.ts";
import { toast } from "../toast.ts";
import type { Reader } from "./incident-words.tsx";

/** Downloads everything about an incident as one file. */
export function DossierButton({ reader, id }: { reader: Reader; id: string }) {
  const fetching = useMutation({
    mutationFn: async () => {
      const { signedUrl } = await call(`${reader}/incidents/dossier`, { id });
      location.assign(signedUrl);
    },
    onError: (error) => toast.error("The dossier was not made.", { description: error.message }),
  });
  return (
    <Button
      variant="default"
      size="md"
      leftSection={<IconFileZip size={18} aria-hidden />}
      loading={fetching.isPending}
      onClick={() => fetching.mutate()}
    >
      Download all as ZIP
    </Button>
  );
}
