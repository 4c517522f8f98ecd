import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { UseFormReturnType } from "@mantine/form";
import { ApiError } from "../api.ts";
import { showServerErrors } from "../forms/form-errors.ts";
import { toast } from "../toast.ts";

/**
 * Sends a decision about a proposal, then closes the dialog and refetches what shows it; also refetches when the server
 * says that the proposal has changed.
 */
export function useDecision<Typed, Values extends object>(
  decide: (typed: Typed) => Promise<{ message: string }>,
  form: UseFormReturnType<Values>,
  onClose: () => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: decide,
    onSuccess: async ({ message }) => {
      toast.success(message);
      onClose();
      await refreshProposals(queries);
    },
    onError: async (error) => {
      if (!(error instanceof ApiError)) return;
      showServerErrors(form, error);
      if (error.status === 409) await refreshProposals(queries);
    },
  });
}

/** Refetches everything that shows proposals and their terms. */
export const refreshProposals = (queries: QueryClient) =>
  Promise.all(
    ["user/get-estimation", "user/quotes/terms"].map((key) => queries.invalidateQueries({ queryKey: [key] })),
  );
