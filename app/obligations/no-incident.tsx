import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { messages } from "../../contract/messages.ts";
import { ApiError } from "../api.ts";
import { PageTitle } from "../components/page-title.tsx";
import { ListEmpty, ListFailed, ListLoading } from "../lists/list-state.tsx";
import type { ObligationReader } from "./clock-words.tsx";

/** An incident's page while it loads, and when it can't be shown. */
export function NoIncident({
  title,
  reader,
  error,
  onRetry,
}: {
  title: string;
  reader: ObligationReader;
  error: Error | null;
  onRetry: () => void;
}) {
  const isGone = error instanceof ApiError && (error.status === 404 || error.status === 422);
  return (
    <>
      <PageTitle title={title} />
      {isGone ? (
        <ListEmpty message="This incident was not found">
          <Anchor component={Link} to={`/${reader}/incidents`}>
            All incidents
          </Anchor>
        </ListEmpty>
      ) : error ? (
        <ListFailed message={messages.fetchFailed} onRetry={onRetry} />
      ) : (
        <ListLoading rows={6} />
      )}
    </>
  );
}
