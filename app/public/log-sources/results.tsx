import { Alert, Button, Skeleton, Stack, Text } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { Link } from "react-router";
import type { LogSource } from "../../../contract/content.ts";
import { limits } from "../../../contract/limits.ts";
import { messages } from "../../../contract/messages.ts";
import { call } from "../../api.ts";
import { LoadFailure } from "../../lists/load-failure.tsx";
import { MoreOnScroll } from "../../lists/more-on-scroll.tsx";
import { toast } from "../../toast.ts";
import site from "../site.module.css";
import classes from "./results.module.css";
import { addressFrom, operationFor, pageInput, type Selection } from "./selection.ts";

/** The list; it starts again at its first page whenever the selection changes. */
export function Results({
  selection,
  startingNode,
  first,
  onClear,
}: {
  selection: Selection;
  startingNode: number;
  /** The first page, if the server has rendered it. */
  first: LogSource[] | null;
  onClear: () => void;
}) {
  const list = useInfiniteQuery({
    queryKey: [operationFor(selection), selection, startingNode],
    queryFn: ({ pageParam, signal }) => call(operationFor(selection), pageInput(selection, pageParam), signal),
    initialPageParam: startingNode,
    getNextPageParam: (page, _pages, from) => (page.length === 0 ? undefined : from + limits.cataloguePage),
    placeholderData: keepPreviousData,
    staleTime: 300_000,
    ...(first && { initialData: { pages: [first], pageParams: [startingNode] } }),
  });
  const { fetchNextPage, refetch } = list;
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const sources = list.data?.pages.flat() ?? [];
  const isEmpty = list.isSuccess && !list.isPlaceholderData && sources.length === 0;
  useEffect(() => {
    if (isEmpty) toast.info(messages.noData, { id: messages.noData });
  }, [isEmpty]);
  return (
    <div className={classes.results} aria-busy={list.isFetching} data-stale={list.isPlaceholderData}>
      <p role="status" className={classes.quiet}>
        {list.isSuccess && !list.isPlaceholderData && sources.length > 0 && summaryOf(sources.length, list.hasNextPage)}
      </p>
      {startingNode > 0 && (
        // A full page load, as the starting position is part of the server's answer.
        <Link to={addressFrom(selection, 0)} reloadDocument className={site.link}>
          From the first log source
        </Link>
      )}
      {isEmpty && <NothingFound onClear={onClear} />}
      {sources.length > 0 && <SourceList sources={sources} />}
      {list.isPending && <Waiting />}
      {list.error && (
        <LoadFailure
          short={messages.dataFailed}
          message={messages.dataError(list.error.message)}
          onRetry={() => void (list.isFetchNextPageError ? fetchNextPage() : refetch())}
        />
      )}
      {list.hasNextPage && !list.error && !list.isPlaceholderData && (
        <div className={classes.more}>
          <MoreOnScroll label="Load more" loading={list.isFetchingNextPage} failed={list.isError} onMore={more} />
        </div>
      )}
      {first && first.length > 0 && (
        <noscript>
          <Link to={addressFrom(selection, startingNode + limits.cataloguePage)}>Further log sources</Link>
        </noscript>
      )}
    </div>
  );
}

const summaryOf = (count: number, isMore: boolean) =>
  isMore ? `${count} log sources shown, more follow` : `${count} log source${count === 1 ? "" : "s"} shown`;

function SourceList({ sources }: { sources: LogSource[] }) {
  return (
    <>
      <div className={classes.columnHeads} aria-hidden="true">
        <span>Product</span>
        <span>Category</span>
        <span>label</span>
        <span>Format</span>
      </div>
      <ul className={classes.sources}>
        {sources.map(({ id, Product, Category, label, Format }) => (
          <li key={id}>
            <div>
              <Name of="Product" />
              <strong>{Product}</strong>
            </div>
            <div>
              <Name of="Category" />
              <span>{Category}</span>
            </div>
            <div>
              <Name of="label" />
              <code>{label}</code>
            </div>
            <div>
              <Name of="Format" />
              <span>{Format}</span>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A cell's label: visible in a narrow list, which has no column headings, and read out in every list. */
function Name({ of }: { of: string }) {
  return <span className={classes.name}>{of}: </span>;
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <Alert color="brand" role="status" title={messages.noData}>
      <Stack gap="sm" align="start">
        <Text>Try another word or spelling, or fewer categories.</Text>
        <Button variant="default" onClick={onClear}>
          Show the whole catalogue
        </Button>
      </Stack>
    </Alert>
  );
}

function Waiting() {
  return (
    <Stack gap="sm" role="status" aria-label="Loading" aria-busy="true">
      {Array.from({ length: limits.cataloguePage }, (_, row) => (
        <Skeleton key={row} h={52} radius="md" />
      ))}
    </Stack>
  );
}
