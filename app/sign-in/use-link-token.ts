import { useEffect, useState } from "react";

/** The secret from the link's fragment, removed from the address bar at once; undefined until it has been read. */
export function useLinkToken(): string | null | undefined {
  const [token, setToken] = useState<string | null>();
  useEffect(() => {
    const found = new URLSearchParams(location.hash.slice(1)).get("token");
    setToken((known) => known ?? found);
    if (found) history.replaceState(history.state, "", location.pathname);
  }, []);
  return token;
}
