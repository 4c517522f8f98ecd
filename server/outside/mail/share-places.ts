export interface Places {
  /** Waits for a place and returns how to give it back. @throws the signal's reason */
  enter(isUrgent: boolean, signal: AbortSignal): Promise<() => void>;
}

interface Waiting {
  isUrgent: boolean;
  enter(): void;
}

/** Lets as many in as there are places. What is urgent comes first, and the `reserved` last places are for it alone. */
export function sharePlaces(places: number, reserved: number): Places {
  let free = places;
  const waiting: Waiting[] = [];
  const remove = (waiter: Waiting) => waiting.splice(waiting.indexOf(waiter), 1);
  const letIn = () => {
    const next = waiting.find(({ isUrgent }) => isUrgent) ?? waiting[0];
    if (!next || free <= (next.isUrgent ? 0 : reserved)) return;
    remove(next);
    free--;
    next.enter();
  };
  return {
    async enter(isUrgent, signal) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiter = { isUrgent, enter: resolve };
      const leaveQueue = () => {
        remove(waiter);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leaveQueue, { once: true });
      waiting.push(waiter);
      letIn();
      await promise.finally(() => signal.removeEventListener("abort", leaveQueue));
      return () => {
        free++;
        letIn();
      };
    },
  };
}
