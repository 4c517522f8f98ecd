import { isRouteErrorResponse, Link, useRouteError } from "react-router";
import { messages } from "../../../contract/messages.ts";
import site from "../site.module.css";

/** What a page shows that has failed, in the boundary around it. */
export function FailedRoute() {
  const error = useRouteError();
  const detail = isRouteErrorResponse(error) ? (error.data as unknown) : error instanceof Error ? error.message : null;
  return <RouteFailure detail={detail} />;
}

/** What is shown where no page is, or where one failed. `detail` is what the router or the error says. */
export function RouteFailure({ detail }: { detail: unknown }) {
  return (
    <main id="main" className={`${site.narrow} ${site.section}`}>
      <div className={site.head}>
        <h1 className={site.title}>{messages.pageNotFound}</h1>
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
