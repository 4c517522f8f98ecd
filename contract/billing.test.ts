import { describe, expect, it } from "vitest";
import { BillingDetails } from "./billing.ts";

const kerala = {
  legalName: "Periyar Spices Private Limited",
  address: "7 Marine Drive\nKochi",
  pinCode: "682031",
  stateCode: "32",
  gstin: "32aagcb7383j1zh ",
};
const faultsIn = (given: object) => {
  const { error } = BillingDetails.safeParse(given);
  return error?.issues.map(({ path, message }) => [path.join("."), message]) ?? [];
};

describe("Billing details", () => {
  it("need a name, an address and, in India, a state: what they are follows from the rest", () => {
    const least = { legalName: "Kaveri Textiles", address: "12 Mill Road", stateCode: "29" };
    expect(BillingDetails.parse(least)).toMatchObject({ kind: "unregistered", country: "IN", gstin: null, pan: null });
    expect(BillingDetails.parse(kerala)).toMatchObject({ kind: "registered", address: "7 Marine Drive, Kochi" });
    expect(BillingDetails.parse({ ...least, stateCode: "", country: "United Arab Emirates" })).toMatchObject({
      kind: "abroad",
      country: "AE",
      stateCode: null,
    });
    for (const name of Object.keys(least)) expect(faultsIn({ ...least, [name]: undefined })[0]?.[0]).toBe(name);
  });

  it("put a comma where the address has a line break, and are refused at once where it is far too long", () => {
    const address = " 7 Marine Drive \r\n \n\tKochi\n";
    expect(BillingDetails.parse({ ...kerala, address })).toMatchObject({ address: "7 Marine Drive, Kochi" });
    // A pattern that tries every start in a run of spaces needs minutes for these.
    expect(faultsIn({ ...kerala, address: `7${" ".repeat(300_000)}Kochi` })[0]?.[0]).toBe("address");
  });

  it("take the PAN that is inside the GSTIN, and a letter of undertaking of a special economic zone only", () => {
    const undertaking = { number: "17", date: "2026-04-01", validTo: "2027-03-31" };
    expect(BillingDetails.parse({ ...kerala, undertaking })).toMatchObject({ pan: "AAGCB7383J", undertaking: null });
    expect(BillingDetails.parse({ ...kerala, kind: "sez", undertaking })).toMatchObject({ undertaking });
  });

  it.each([
    ["a wrong check digit", { ...kerala, gstin: "32AAGCB7383J1ZK" }, "gstin", "not a valid GSTIN"],
    ["a GSTIN that is often shown as a sample", { ...kerala, gstin: "22AAAAA0000A1Z5" }, "gstin", "not a valid GSTIN"],
    ["another state's GSTIN", { ...kerala, stateCode: "27" }, "gstin", "another state's"],
    ["a state that there is none", { ...kerala, stateCode: "25" }, "stateCode", "choose a state"],
    [
      "a state that is none but a name",
      { ...kerala, gstin: null, stateCode: "constructor" },
      "stateCode",
      "choose a state",
    ],
    ["a PAN that is not the GSTIN's", { ...kerala, pan: "AAPFU0939F" }, "pan", "not the PAN inside"],
    ["a wrong PIN code", { ...kerala, pinCode: "012345" }, "pinCode", "six digits"],
    ["a GSTIN of somebody unregistered", { ...kerala, kind: "unregistered" }, "gstin", "is registered"],
    ["a registered company without one", { ...kerala, gstin: "", kind: "registered" }, "gstin", "enter the GSTIN"],
    ["a unit in a zone without one", { ...kerala, gstin: "", kind: "sez" }, "gstin", "enter the GSTIN"],
    ["a company abroad without a country", { ...kerala, gstin: "", kind: "abroad" }, "country", "choose a country"],
    ["a company abroad in India", { ...kerala, gstin: "", kind: "abroad", country: "IN" }, "country", "outside India"],
    ["a company abroad with a GSTIN", { ...kerala, kind: "abroad", country: "AE" }, "gstin", "no GSTIN"],
    ["a country that there is none", { ...kerala, gstin: "", country: "Atlantis" }, "country", "choose a country"],
    ["a company in India in another country", { ...kerala, kind: "registered", country: "AE" }, "country", "outside"],
    [
      "a letter that ends before it begins",
      { ...kerala, kind: "sez", undertaking: { number: "1", date: "2026-04-01", validTo: "2026-03-31" } },
      "undertaking.validTo",
      "can't end before",
    ],
  ])("refuse %s", (_case, given, field, sentence) => {
    expect(faultsIn(given)).toContainEqual([field, expect.stringContaining(sentence)]);
  });
});
