import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { toast } from "../toast.ts";

/**
 * Runs an action that somebody else may be doing too, and tells the outcome. If somebody else was first, the error says
 * so; `refresh` refetches the state in either case.
 */
export function useDoing(refresh: (queries: QueryClient) => Promise<void>, act: () => Promise<{ message: string }>) {
  const queries = useQueryClient();
  const isUnderWay = useRef(false);
  const doing = useMutation({
    mutationFn: act,
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(error.message),
    onSettled: () => refresh(queries),
  });
  // A second press may come before the button shows that the action is running.
  const mutate = () => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    doing.mutate(undefined, {
      onSettled: () => {
        isUnderWay.current = false;
      },
    });
  };
  return { ...doing, mutate };
}
