import { createContext, type RouterContextProvider } from "react-router";
import { shownTexts, type SiteTexts } from "../contract/shown-texts.ts";
import type { Answer, OperationName, Sent } from "../contract/operations.ts";
import { call } from "./api.ts";

type Ask = <Name extends OperationName>(name: Name, input: Sent<Name>) => Promise<Answer<Name>>;

/** How a page being rendered on the server asks the API: within the process. Set by the server for each request. */
export const serverApi = createContext<Ask>(call);

/** The texts that a page shows in the place of those that are shipped. Set by the server for each page. */
export const siteTexts = createContext<SiteTexts>(shownTexts);

/** Asks a public operation while a page is rendered. @throws ApiError like `call` */
export function ask<Name extends OperationName>(
  context: Readonly<RouterContextProvider>,
  name: Name,
  input: Sent<Name>,
): Promise<Answer<Name>> {
  return context.get(serverApi)(name, input);
}
