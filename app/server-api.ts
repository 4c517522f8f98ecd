import { createContext, type RouterContextProvider } from "react-router";
import { shownTexts, type SiteTexts } from "../contract/shown-texts.ts";
import type { Answer, OperationName, Sent } from "../contract/operations.ts";
import { call } from "./api.ts";

type Ask = <Name extends OperationName>(name: Name, input: Sent<Name>) => Promise<Answer<Name>>;

/** How a page rendered on the server calls the API: within the process. The server sets it for each request. */
export const serverApi = createContext<Ask>(call);

/** The site's texts that replace the shipped ones. The server sets them for each page. */
export const siteTexts = createContext<SiteTexts>(shownTexts);

/** Calls a public operation while a page is rendered. @throws ApiError like `call` */
export function ask<Name extends OperationName>(
  context: Readonly<RouterContextProvider>,
  name: Name,
  input: Sent<Name>,
): Promise<Answer<Name>> {
  return context.get(serverApi)(name, input);
}
