import { useQuery } from "@tanstack/react-query";
import { shippedCatalogue } from "../../contract/devices.ts";
import { call } from "../api.ts";

export const catalogueKey = ["catalogue"];

/**
 * What can be estimated. Until the catalogue of the card in force is here it is the shipped one, with which the page was
 * made: where they are the same, nothing on the page moves.
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
    /** It is live, or could not be had. */
    isSettled: !isPlaceholderData,
  };
}
