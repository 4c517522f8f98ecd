import { isRouteErrorResponse, Link, useRouteError } from "react-router";
import { messages } from "../../../contract/messages.ts";
import site from "../site.module.css";

/** The error boundary's page for a missing or failed page. */
export function FailedRoute() {
  const error = useRouteError();
  if (isRouteErrorResponse(error)) return <RouteFailure detail={error.data} crashed={error.status !== 404} />;
  return <RouteFailure detail={error instanceof Error && error.message} crashed />;
}

/** The page for an unknown address or a failure. `detail` is the message of the router or the error. */
export function RouteFailure({ detail, crashed }: { detail: unknown; crashed?: boolean }) {
  return (
    <main id="main" className={`${site.narrow} ${site.section}`}>
      <div className={site.head}>
        <h1 className={site.title}>
          {crashed ? "Something went wrong here. Please reload the page." : messages.pageNotFound}
        </h1>
        <p className={site.lead}>
          {messages.errorIs}
          {typeof detail === "string" && detail ? detail : messages.unknownError}
        </p>
      </div>
      <Link to="/" className={site.button}>
        Back to the home page
      </Link>
    </main>
  );
}
