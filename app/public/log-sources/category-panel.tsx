import { Skeleton } from "@mantine/core";
import { useState } from "react";
import classes from "../log-sources.module.css";

/** A checkbox for each category: beside the list on wide screens, folded away on narrow ones. */
export function CategoryPanel({
  categories,
  chosen,
  onChange,
}: {
  categories: readonly string[] | undefined;
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const [sought, setSought] = useState("");
  const isSought = (category: string) => category.toLowerCase().includes(sought.trim().toLowerCase());
  return (
    <fieldset className={classes.panel}>
      <legend className="visually-hidden">Categories</legend>
      <button
        type="button"
        className={classes.fold}
        aria-expanded={isOpen}
        aria-controls="categories"
        onClick={() => setOpen(!isOpen)}
      >
        Categories{chosen.length > 0 && ` (${chosen.length} chosen)`}
      </button>
      <div id="categories" className={classes.choices} data-open={isOpen}>
        <div className={classes.panelHead}>
          <label htmlFor="category-search">Find a category</label>
          {chosen.length > 0 && (
            <button type="button" className={classes.clear} onClick={() => onChange([])}>
              Clear all
            </button>
          )}
        </div>
        <input
          id="category-search"
          type="search"
          className={classes.scripted}
          value={sought}
          autoComplete="off"
          onChange={(event) => setSought(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") event.preventDefault();
          }}
        />
        <div className={classes.list}>
          {categories?.map((category) => (
            <label key={category} className={classes.choice} hidden={!isSought(category)}>
              <input
                type="checkbox"
                name="category"
                value={category}
                checked={chosen.includes(category)}
                onChange={({ currentTarget: { checked } }) =>
                  onChange(checked ? [...chosen, category] : chosen.filter((other) => other !== category))
                }
              />
              {category}
            </label>
          ))}
          {!categories && Array.from({ length: 10 }, (_, row) => <Skeleton key={row} h={24} my={10} />)}
          {categories && !categories.some(isSought) && <p className={classes.quiet}>No such category.</p>}
        </div>
      </div>
    </fieldset>
  );
}
