import { brand } from "../../../contract/brand.ts";
import { hasShippedOffices } from "../../../contract/shipped-offices.ts";
import site from "../site.module.css";
import classes from "./offices.module.css";

export function Offices() {
  const drawn = hasShippedOffices();
  return (
    <section className={`${site.container} ${site.section}`} aria-labelledby="offices">
      <div className={site.head}>
        <h2 id="offices" className={site.title}>
          Where we are
        </h2>
        <p className={site.lead}>
          {drawn
            ? "Two offices, an hour and a half apart by the clock. Logs are stored in India, whichever of them you speak to."
            : "Logs are stored in India, whichever of us you speak to."}
        </p>
      </div>
      <div className={classes.offices}>
        {brand.offices.map(({ title, lines }, index) => (
          <div key={title} className={classes.office}>
            {drawn && (index === 0 ? <GardenCity /> : <Waterfront />)}
            <h3 className={site.subtitle}>{title}</h3>
            <address className={classes.address}>
              {lines.map((line) => (
                <span key={line}>{line}</span>
              ))}
              {brand.phones[index] && (
                <a href={`tel:${brand.phones[index].replaceAll(" ", "")}`}>{brand.phones[index]}</a>
              )}
            </address>
          </div>
        ))}
      </div>
    </section>
  );
}

const frame = { viewBox: "0 0 520 260", "aria-hidden": true, focusable: false, className: classes.scene } as const;

/** The windows of a house in rows, as one path. */
function windows(left: number, top: number, columns: number, rows: number, [dx, dy]: [number, number]): string {
  return Array.from({ length: columns * rows }, (_, index) => {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    return `M${left + column * dx} ${top + row * dy}h${dx * 0.5}v${dy * 0.55}h-${dx * 0.5}z`;
  }).join("");
}

/** Bengaluru by night: low houses, rain trees, one lit floor. */
function GardenCity() {
  return (
    <svg {...frame}>
      <circle cx="430" cy="52" r="20" className={classes.moon} />
      <path d="M28 230V150h92v80M404 230v-98h88v98" className={classes.far} />
      <path d={windows(42, 164, 3, 2, [26, 28])} className={classes.dim} />
      <path d={windows(418, 148, 3, 2, [24, 32])} className={classes.dim} />
      <path d="M164 230V68h192v162M152 68h216M248 230v-26h24v26" className={classes.house} />
      <path d={windows(180, 84, 6, 4, [28, 29])} className={classes.dim} />
      <path d={windows(180, 84, 6, 1, [28, 29])} className={classes.lit} />
      <g className={classes.tree}>
        <path d="M140 230v-34M388 230v-30" />
        <path d="M104 196c0-14 12-20 18-20 2-12 12-20 22-18 12-6 26 2 28 14 10 2 14 16 6 24Z" />
        <path d="M356 202c-2-12 8-20 16-20 2-10 14-16 24-10 12-2 22 8 20 18 6 4 6 10 2 12Z" />
      </g>
      <path d="M8 230h504" className={classes.house} />
    </svg>
  );
}

/** Dubai by night: towers over the water, one lit floor. */
function Waterfront() {
  return (
    <svg {...frame}>
      <circle cx="84" cy="48" r="20" className={classes.moon} />
      <path d="M60 206v-92h70v92M388 206V98l64-22v130" className={classes.far} />
      <path d={windows(72, 126, 3, 3, [20, 24])} className={classes.dim} />
      <path d={windows(402, 112, 2, 4, [24, 22])} className={classes.dim} />
      <path d="M158 206V74l86-34v166M262 206V20h96v186M310 20V4" className={classes.house} />
      <path d={windows(172, 86, 3, 6, [24, 19])} className={classes.dim} />
      <path d={windows(276, 34, 4, 11, [19, 15])} className={classes.dim} />
      <path d={windows(276, 64, 4, 1, [19, 15])} className={classes.lit} />
      <path d="M8 206h504" className={classes.house} />
      <path
        d="M40 224c14-8 28-8 42 0s28 8 42 0 28-8 42 0 28 8 42 0 28-8 42 0 28 8 42 0 28-8 42 0 28 8 42 0 28-8 42 0M110 244c14-8 28-8 42 0s28 8 42 0 28-8 42 0 28 8 42 0 28-8 42 0 28 8 42 0"
        className={classes.water}
      />
    </svg>
  );
}
