import { data } from "react-router";
import { brand } from "../../contract/brand.ts";
import { RouteFailure } from "./frame/route-failure.tsx";

export const meta = () => [{ title: `Page not found – ${brand.name}` }];

/** Answers 404 on the server; the page itself is the error boundary below. */
export function loader() {
  throw data("Not Found", { status: 404 });
}

export default function NotFound() {
  return null;
}

export function ErrorBoundary() {
  return <RouteFailure detail="Not Found" />;
}
