import { useEffect, useState } from "react";

/** The secret from the fragment, taken out of the address bar at once; undefined until the browser has looked. */
export function useLinkToken(): string | null | undefined {
  const [token, setToken] = useState<string | null>();
  useEffect(() => {
    const found = new URLSearchParams(location.hash.slice(1)).get("token");
    setToken((known) => known ?? found);
    if (found) history.replaceState(history.state, "", location.pathname);
  }, []);
  return token;
}
