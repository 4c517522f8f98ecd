import { Alert, Anchor, Button, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import type { Proof } from "../../contract/proofs.ts";
import { call } from "../api.ts";
import { openedLater } from "../components/later.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { ListEmpty, ListFailed, ListLoading } from "../lists/list-state.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import { toast } from "../toast.ts";
import { ProofCard } from "./proofs/proof-card.tsx";
import { proofsKey } from "./proofs/proofs-key.ts";

export const meta = () => [{ title: `Certificates and References – ${brand.name}` }];

const ProofDialog = openedLater<{ edited: Proof | "new" | null; onClose: () => void }>(
  () => import("./proofs/proof-dialog.tsx"),
  { edited: null },
);

/** The operator's own certificates and references: administrators edit them, their child accounts read them. */
export default function Proofs() {
  const [edited, setEdited] = useState<Proof | "new" | null>(null);
  const mayEdit = useMayCall()("admin/settings/proofs/add");
  const list = useQuery({
    queryKey: proofsKey,
    queryFn: async ({ signal }) => (await call("admin/settings/proofs", {}, signal)).proofs,
  });
  return (
    <>
      <PageTitle title="Certificates and References" hint="Shown to visitors in the buyer's guide, in this order.">
        {mayEdit && (
          <Button size="md" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEdited("new")}>
            Add
          </Button>
        )}
      </PageTitle>
      {list.isPending && <ListLoading rows={3} />}
      {list.isError && <ListFailed message={messages.fetchFailed} onRetry={() => void list.refetch()} />}
      {list.data && <ListOf proofs={list.data} mayEdit={mayEdit} onEdit={setEdited} />}
      <ProofDialog edited={edited} onClose={() => setEdited(null)} />
    </>
  );
}

function ListOf({
  proofs,
  mayEdit,
  onEdit,
}: {
  proofs: readonly Proof[];
  mayEdit: boolean;
  onEdit: (proof: Proof) => void;
}) {
  const move = useMove(proofs);
  if (proofs.length === 0)
    return (
      <ListEmpty message="None yet">
        <Text c="var(--site-muted)">
          This part of the buyer's guide is hidden until there is one. Enter only what you can prove.
        </Text>
      </ListEmpty>
    );
  return (
    <Stack gap="md">
      {proofs.every(({ expired }) => expired) && (
        <Alert color="orange" variant="light" role="note">
          All of these have expired, so this part of the buyer's guide is hidden.
        </Alert>
      )}
      <Stack component="ol" gap="md" m={0} p={0} style={{ listStyle: "none" }}>
        {proofs.map((proof, index) => (
          <ProofCard
            key={proof.id}
            proof={proof}
            {...(mayEdit && {
              editing: {
                onEdit: () => onEdit(proof),
                onUp: index > 0 && !move.isPending ? () => move.mutate([index, index - 1]) : undefined,
                onDown:
                  index < proofs.length - 1 && !move.isPending ? () => move.mutate([index, index + 1]) : undefined,
              },
            })}
          />
        ))}
      </Stack>
      <Text fz="sm" c="var(--site-muted)">
        Visitors see them in{" "}
        <Anchor
          href="/buyers-guide#proofs"
          target="_blank"
          rel="noopener"
          fz="sm"
          style={{ textDecoration: "underline" }}
        >
          the buyer's guide
        </Anchor>
        .
      </Text>
    </Stack>
  );
}

/** Moves the proof at one index to another. */
function useMove(proofs: readonly Proof[]) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ([from, to]: [number, number]) => {
      const ids = proofs.map(({ id }) => id);
      return call("admin/settings/proofs/order", { ids: ids.toSpliced(from, 1).toSpliced(to, 0, ids[from] ?? "") });
    },
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error("The order could not be changed.", { description: error.message }),
    onSettled: () => queries.invalidateQueries({ queryKey: proofsKey }),
  });
}
