import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "../toast.ts";
import { messages } from "../../contract/messages.ts";
import { call } from "../api.ts";

/** Gives a customer its record of dashboards; if somebody else has just done so, shows that one. */
export function ActivateDashboard({ email }: { email: string }) {
  const queries = useQueryClient();
  const activate = useMutation({
    mutationFn: () => call("admin/createCustomerToolByEmailApi", { email }),
    onSuccess: () => toast.success(messages.dashboardActivated),
    onError: (error) => toast.error(error.message),
    onSettled: () =>
      Promise.all(
        [
          ["admin/getcustomertToolByEmailApi", { email }],
          ["admin/overview"],
          // The customer's state depends on it too.
          ["admin/getUserByEmailforAdmin", { email }],
          ["admin/getUserByAdmin"],
          ["admin/getUsersByPartnerEmail"],
        ].map((queryKey) => queries.invalidateQueries({ queryKey })),
      ),
  });
  return (
    <Button size="md" loading={activate.isPending} onClick={() => activate.mutate()}>
      Activate Dashboard
    </Button>
  );
}
