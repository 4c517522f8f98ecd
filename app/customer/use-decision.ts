import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { UseFormReturnType } from "@mantine/form";
import { ApiError } from "../api.ts";
import { showServerErrors } from "../forms/form-errors.ts";
import { toast } from "../toast.ts";

/**
 * Sends what is decided about a proposal. Once it is decided the dialog closes, and what shows it is asked for anew; as it is
 * where the server says that something else holds by now.
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

/** What shows proposals and their terms is asked for anew. */
export const refreshProposals = (queries: QueryClient) =>
  Promise.all(
    ["user/get-estimation", "user/quotes/terms"].map((key) => queries.invalidateQueries({ queryKey: [key] })),
  );
