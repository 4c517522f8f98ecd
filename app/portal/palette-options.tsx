import { Link } from "react-router";
import type { Line, LineGroup } from "./palette-lines.ts";
import classes from "./palette.module.css";

/** The results in groups; each line is a link, which the browser can open in a new window. */
export function PaletteOptions({
  id,
  groups,
  active,
  optionId,
  onChoose,
  onOpen,
}: {
  id: string;
  groups: readonly LineGroup[];
  active: string;
  optionId: (key: string) => string;
  onChoose: (key: string) => void;
  onOpen: (line: Line) => void;
}) {
  return (
    <div id={id} role="listbox" aria-label="Found" className={classes.found} tabIndex={-1}>
      {groups.map(({ label, lines }) => (
        <div key={label} role="group" aria-label={label}>
          <div className={classes.label} aria-hidden>
            {label}
          </div>
          {lines.map((line) => (
            <Link
              key={line.key}
              id={optionId(line.key)}
              role="option"
              aria-selected={line.key === active}
              tabIndex={-1}
              to={line.path}
              className={classes.option}
              onMouseMove={() => line.key !== active && onChoose(line.key)}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                onOpen(line);
              }}
            >
              <bdi className={classes.title}>{line.title}</bdi>
              {line.detail && <bdi className={classes.detail}>{line.detail}</bdi>}
            </Link>
          ))}
        </div>
      ))}
    </div>
  );
}
