import type { Plugin } from "vite";
import { limits } from "../contract/limits.ts";
import { messages } from "../contract/messages.ts";

/** Tables of plain values, of which each page needs only a few. */
const tables: Record<string, Record<string, unknown>> = { limits, messages };

/**
 * Inlines `limits.otpDigits` as 6 and `messages.noQuotes` as its text, so that no page loads the whole table.
 * A table that is used in any other way is loaded as it is.
 */
export function writtenValues(): Plugin {
  return {
    name: "written-values",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    transform: {
      filter: { id: /\/(app|contract)\/[^?]*\.tsx?(\?route-chunk=.*)?$/ },
      handler: (code) => {
        const names = Object.keys(tables).filter((name) => new RegExp(`import \\{ ${name} \\} from "`).test(code));
        return names.length > 0 ? { code: names.reduce(writeValues, code), map: null } : null;
      },
    },
  };
}

/** The code with a table's values in place of their names. */
export function writeValues(code: string, table: string): string {
  return code.replaceAll(new RegExp(`(?<![-./\\w])${table}\\.(\\w+)`, "g"), (use, name: string) => {
    const value = tables[table]?.[name];
    if (value === undefined) return use;
    // A message that is a function uses only its parameters.
    return `(${typeof value === "function" ? String(value) : JSON.stringify(value)})`;
  });
}
