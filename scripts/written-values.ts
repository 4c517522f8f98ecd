import type { Plugin } from "vite";
import { limits } from "../contract/limits.ts";
import { messages } from "../contract/messages.ts";

/** Tables of plain values, of which each page needs a few. */
const tables: Record<string, Record<string, unknown>> = { limits, messages };

/**
 * Writes `limits.otpDigits` as 6 and `messages.noQuotes` as its text, so that no page brings the whole table.
 * Where a table is used otherwise, it comes as it is.
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

/** The code with the values of a table in the place of their names. */
export function writeValues(code: string, table: string): string {
  return code.replaceAll(new RegExp(`(?<![-./\\w])${table}\\.(\\w+)`, "g"), (use, name: string) => {
    const value = tables[table]?.[name];
    if (value === undefined) return use;
    // A function among the texts uses nothing but what it is given.
    return `(${typeof value === "function" ? String(value) : JSON.stringify(value)})`;
  });
}
