import { useEffect, useState } from "react";

/** The browser's time, updated while the screen is open. */
export function useNow(everySeconds = 15): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const ticking = setInterval(() => setNow(new Date()), everySeconds * 1000);
    return () => clearInterval(ticking);
  }, [everySeconds]);
  return now;
}
