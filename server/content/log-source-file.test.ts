import { describe, expect, it } from "vitest";
import { readFileSync } from "node:fs";
import { Failure } from "../failures/failure.ts";
import { readLogSourceFile } from "./log-source-file.ts";

const read = (text: string | Uint8Array) => readLogSourceFile(Buffer.from(text as string));
const head = "Product,Category,Label,Format\r\n";
const acme = { product: "Acme Door", category: "Doors", label: "ACME_DOOR", format: "JSON", retired: false };

function refusal(text: string | Uint8Array): string {
  try {
    read(text);
  } catch (error) {
    if (error instanceof Failure) return error.message;
  }
  return "taken";
}

describe("A CSV file of log sources", () => {
  it("may have quotes, commas and line breaks in its cells", () => {
    const { rows, errors } = read(`${head}"A ""B"", C",D,E_F,"JSON, SYSLOG"\r\n"Two\nlines",D,G_H,CEF\nLast,D,I_J,\n`);
    expect(rows).toEqual([
      { product: 'A "B", C', category: "D", label: "E_F", format: "JSON, SYSLOG", retired: false },
    ]);
    expect(errors).toEqual([
      { line: 3, error: "product: Please remove line breaks and the character |" },
      { line: 5, error: "format: Please enter the log format" },
    ]);
  });
  it.each([
    [
      "other orders and cases of the columns",
      "LABEL,other,format,product,category\nACME_DOOR,x,JSON,Acme Door,Doors\n",
    ],
    ["semicolons", "Product;Category;Label;Format\nAcme Door;Doors;ACME_DOOR;JSON\n"],
    ["a byte order mark", `\uFEFF${head}Acme Door,Doors,ACME_DOOR,JSON\n`],
    ["empty lines", `${head}\r\nAcme Door,Doors,ACME_DOOR,JSON\r\n,,,\r\n`],
  ])("may have %s", (_what, text) => {
    expect(read(text)).toEqual({ rows: [acme], errors: [], note: null });
  });
  it("is converted from UTF-16 and says so", () => {
    const little = Buffer.from(`\uFEFF${head}Acme Door,Doors,ACME_DOOR,JSON\n`, "utf16le");
    const big = Buffer.from(little).swap16();
    for (const bytes of [little, big])
      expect(read(bytes)).toEqual({ rows: [acme], errors: [], note: "The file was in UTF-16 and was converted." });
  });
  it("is refused in Latin-1, by the line, with what to do", () => {
    const latin1 = Buffer.from(`${head}Acme Door,Doors,ACME_DOOR,JSON\nTür,Doors,TUER,JSON\n`, "latin1");
    expect(refusal(latin1)).toContain(
      "line 3 has another encoding, such as Latin-1. In Excel please choose “CSV UTF-8”",
    );
  });
  it.each([
    ["lacks columns", "Product,Category\na,b\n", "The file lacks the columns Label, Format."],
    ["has a column twice", "Product,Category,Label,Format,label\na,b,c,d,e\n", "The column Label is there twice."],
    ["is empty", "", "The file is empty."],
    ["has a head alone", head, "The file has a header and no rows."],
    ["has an open quotation mark", `${head}"Acme,Doors,ACME_DOOR,JSON\n`, "The file is no CSV"],
    ["is no text", new Uint8Array([80, 75, 3, 4, 0, 0, 1]), "This is no CSV file"],
    // As many rows as fit into four megabytes: reading them all once exhausted the memory of the process.
    ["has millions of short rows", head + "a\n".repeat(2_000_000), "The file has more than 20,000 rows."],
    ["has millions of empty lines", head + "\r".repeat(4_000_000), "The file has more than 20,000 rows."],
    ["has one endless cell", `${head}"${"a".repeat(4_000_000)}`, "far too long: maybe a quotation mark is not closed"],
    ["has too many rows", head + "a,b,C,d\n".repeat(20_001), "The file has more than 20,000 rows."],
  ])("is refused when it %s", (_what, text, sentence) => {
    expect(refusal(text)).toContain(sentence);
  });
  it("names each wrong row by its line, also a label that is there twice", () => {
    const { rows, errors } = read(`${head}Acme Door,Doors,ACME_DOOR,JSON\nB,D,lower,JSON\nC,D,ACME_DOOR,JSON\n`);
    expect(rows).toEqual([acme]);
    expect(errors.map(({ line }) => line)).toEqual([3, 4]);
    expect(errors[0]?.error).toContain("label: Please use capital letters");
    expect(errors[1]?.error).toBe("The label ACME_DOOR stands in line 2 already");
  });
  it("reads what an export wrote: a guarded formula and the state of each row", () => {
    const { rows } = read(`\uFEFFProduct,Category,Label,Format,State\r\n'=cmd,Doors,ACME_DOOR,JSON,Retired\r\n`);
    expect(rows).toEqual([{ ...acme, product: "=cmd", retired: true }]);
  });
  it("is right as it is shipped", () => {
    const { rows, errors } = readLogSourceFile(readFileSync(new URL("./log-sources.csv", import.meta.url)));
    expect([rows.length, errors]).toEqual([980, []]);
  });
});
