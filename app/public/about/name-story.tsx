import { brand, shippedBrand } from "../../../contract/brand.ts";
import site from "../site.module.css";
import { NameMark } from "./name-mark.tsx";
import classes from "./name-story.module.css";

/** The story of the name shows only for the shipped name; under another name, only the watches are shown. */
export function NameStory() {
  const isOurs = brand.name === shippedBrand.name;
  return (
    <section className={classes.opening}>
      <div className={`${site.container} ${classes.inner}`}>
        <div className={classes.words}>
          <p className={classes.eyebrow}>About us</p>
          <h1 className={site.display}>Somebody is awake</h1>
          <p className={classes.lead}>
            {isOurs
              ? "Prahari is Hindi for sentinel. The word comes from prahar, a watch of three hours, eight of which make a day. A sentinel kept one, called the hour and handed over to the next. We do the same for networks."
              : "A sentinel kept a watch of three hours, eight of which make a day, called the hour and handed over to the next. We do the same for networks."}
          </p>
        </div>
        <div className={classes.mark}>
          {isOurs && <NameMark className={classes.name} />}
          <EightWatches />
        </div>
      </div>
    </section>
  );
}

/** The eight watches of a day as a strip, bright at night. */
function EightWatches() {
  const watches = [0, 3, 6, 9, 12, 15, 18, 21];
  return (
    <svg viewBox="0 0 560 64" role="img" aria-label="A day as eight watches of three hours" className={classes.watches}>
      {watches.map((hour, index) => (
        <g key={hour}>
          <rect
            x={index * 71}
            y="0"
            width="63"
            height="18"
            rx="9"
            className={hour < 6 || hour >= 18 ? classes.night : classes.day}
          />
          <text x={index * 71 + 2} y="46">
            {String(hour).padStart(2, "0")}
          </text>
        </g>
      ))}
    </svg>
  );
}
