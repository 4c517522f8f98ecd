import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { toast } from "../toast.ts";

/**
 * Does something with what others may be at, too, and says what came of it. Who comes second is told who was first, and
 * sees how it stands now: `refresh` asks for that anew in any case.
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
  // A second press may come before the button shows that the first one is under way.
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
