import { useQuery } from "@tanstack/react-query";
import { shippedCatalogue } from "../../contract/devices.ts";
import { call } from "../api.ts";

export const catalogueKey = ["catalogue"];

/**
 * The catalogue for estimates. Until the one in force has loaded it is the shipped one, with which the page was
 * rendered: if they are equal, nothing on the page moves.
 */
export function useCatalogue() {
  const { data, isPlaceholderData } = useQuery({
    queryKey: catalogueKey,
    queryFn: ({ signal }) => call("catalogue", {}, signal),
    placeholderData: shippedCatalogue,
  });
  return {
    catalogue: data ?? shippedCatalogue,
    isLive: data !== undefined && !isPlaceholderData,
    /** It has loaded, or could not be loaded. */
    isSettled: !isPlaceholderData,
  };
}
