import { isRouteErrorResponse, Link, useRouteError } from "react-router";
import { messages } from "../../../contract/messages.ts";
import site from "../site.module.css";

/** What a page shows that is not there or has failed, in the boundary around it. */
export function FailedRoute() {
  const error = useRouteError();
  if (isRouteErrorResponse(error)) return <RouteFailure detail={error.data} crashed={error.status !== 404} />;
  return <RouteFailure detail={error instanceof Error && error.message} crashed />;
}

/** What is shown where no page is, or where one failed. `detail` is what the router or the error says. */
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
