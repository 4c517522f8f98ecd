import { brand } from "../../contract/brand.ts";
import classes from "./logo.module.css";

/** The logo, an eye that is also a watchtower's light, with the name beside it. */
export function Logo({ compact = false }: { compact?: boolean }) {
  return (
    <span className={classes.logo}>
      <svg width="30" height="30" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="9" fill={brand.themeColour} />
        <path
          d="M5.5 16c2.9-4.6 6.4-6.9 10.5-6.9S23.6 11.4 26.5 16c-2.9 4.6-6.4 6.9-10.5 6.9S8.4 20.6 5.5 16Z"
          fill="none"
          stroke="#fff"
          strokeWidth="2.2"
        />
        <circle cx="16" cy="16" r="3.6" fill="#fff" />
      </svg>
      {!compact && <span className={classes.name}>{brand.name}</span>}
    </span>
  );
}
