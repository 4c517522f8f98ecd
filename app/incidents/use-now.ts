import { useEffect, useState } from "react";

/** The time of this browser, which goes on while a screen is open. */
export function useNow(everySeconds = 15): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const ticking = setInterval(() => setNow(new Date()), everySeconds * 1000);
    return () => clearInterval(ticking);
  }, [everySeconds]);
  return now;
}
