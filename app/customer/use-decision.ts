import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "../api.ts";
import { toast } from "../toast.ts";

/** Sends what is decided about a proposal. Once it is decided the dialog closes, and what shows it is asked for anew. */
export function useDecision<Typed>(
  decide: (typed: Typed) => Promise<{ message: string }>,
  { setErrors }: { setErrors: (errors: Record<string, string>) => void },
  onClose: () => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: decide,
    onSuccess: async ({ message }) => {
      toast.success(message);
      onClose();
      await Promise.all(
        ["user/get-estimation", "user/quotes/terms"].map((key) => queries.invalidateQueries({ queryKey: [key] })),
      );
    },
    onError: (error) => error instanceof ApiError && setErrors(error.fields),
  });
}
