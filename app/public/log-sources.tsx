import { useQuery } from "@tanstack/react-query";
import { Link, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { call } from "../api.ts";
import { firstNode } from "../lists/first-node.ts";
import { LoadFailure } from "../lists/load-failure.tsx";
import { ask } from "../server-api.ts";
import classes from "./log-sources.module.css";
import { CategoryPanel } from "./log-sources/category-panel.tsx";
import { Results } from "./log-sources/results.tsx";
import { operationFor, pageInput, readSelection, sameSelection, useSelection } from "./log-sources/selection.ts";
import { pageMeta } from "../content/page-meta.ts";
import site from "./site.module.css";

export const meta = () =>
  pageMeta(
    "/LogInjection",
    `Supported log Types – ${brand.name}`,
    "Search the catalogue of log sources with a ready parser, by product, category, label and format.",
  );

export const handle = { search: ["q", "category", "from"] };

export async function loader({ request, context }: LoaderFunctionArgs) {
  const params = new URL(request.url).searchParams;
  const selection = readSelection(params);
  const startingNode = firstNode(params);
  const [sources, categories, count] = await Promise.all([
    ask(context, operationFor(selection), pageInput(selection, startingNode)).catch(() => null),
    ask(context, "logs/categories", {}).catch(() => null),
    ask(context, "logs/count", {}).catch(() => null),
  ]);
  return { selection, startingNode, sources, categories, count };
}

/** On client-side navigation the page opens at once and fetches its list itself. */
export const clientLoader = () => ({ selection: null, startingNode: 0, sources: null, categories: null, count: null });

// The selection changes the address, but the page itself fetches the list: the loader need not run again.
export const shouldRevalidate = () => false;

export default function LogSources() {
  const first = useLoaderData<typeof loader | typeof clientLoader>();
  const { selection, text, setText, chosen, setCategories } = useSelection();
  const categories = useQuery({
    queryKey: ["logs/categories"],
    queryFn: ({ signal }) => call("logs/categories", {}, signal),
    staleTime: 300_000,
    ...(first.categories && { initialData: first.categories }),
  });
  const { data: count } = useQuery({
    queryKey: ["logs/count"],
    queryFn: ({ signal }) => call("logs/count", {}, signal),
    staleTime: 300_000,
    ...(first.count && { initialData: first.count }),
  });
  const isFirst = first.selection !== null && sameSelection(first.selection, selection);
  return (
    <main id="main" className={`${site.container} ${site.section}`}>
      <div className={site.head}>
        <h1 className={site.display}>Supported log Types</h1>
        <p className={site.lead}>
          {count && count.sources > 0 ? `${count.sources} sources` : "Sources"} whose logs we read without custom work.
          Yours isn’t listed?{" "}
          <Link to="/contact" className={site.link}>
            Tell us
          </Link>
          : a parser for it can be written.
        </p>
      </div>
      {/* Without script it is submitted as an ordinary form to the same address. */}
      <form
        action="/LogInjection"
        className={classes.columns}
        aria-label="Log sources"
        onSubmit={(event) => event.preventDefault()}
      >
        <div className={classes.filters}>
          <SearchField text={text} onChange={setText} />
          {categories.error ? (
            <LoadFailure
              short={messages.categoriesFailed}
              message={messages.categoriesError(categories.error.message)}
              onRetry={() => void categories.refetch()}
            />
          ) : (
            <CategoryPanel categories={categories.data} chosen={chosen} onChange={setCategories} />
          )}
          <noscript>
            <button type="submit" className={site.button}>
              Show
            </button>
          </noscript>
        </div>
        <Results
          selection={selection}
          startingNode={isFirst ? first.startingNode : 0}
          first={isFirst ? first.sources : null}
          onClear={() => {
            setText("");
            setCategories([]);
          }}
        />
      </form>
    </main>
  );
}

function SearchField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  return (
    <div className={classes.search}>
      <label htmlFor="log-search">Search</label>
      <input
        id="log-search"
        type="search"
        name="q"
        value={text}
        maxLength={limits.searchLengthMax}
        placeholder="Product, label or category"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
