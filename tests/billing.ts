import { eq } from "drizzle-orm";
import { organisations, people, siteTexts } from "../server/database/schema/index.ts";
import { type SellerTexts, shippedSeller } from "../contract/seller.ts";
import type { TestServer } from "./harness.ts";

/** Valid billing details of each kind; the sample seller is in Karnataka (29). */
export const billingOf = {
  kerala: {
    kind: "registered",
    legalName: "Periyar Spices Private Limited",
    address: "7 Marine Drive, Kochi",
    pinCode: "682031",
    stateCode: "32",
    gstin: "32AAGCB7383J1ZH",
  },
  maharashtra: {
    kind: "registered",
    legalName: "Konkan Shipping Limited",
    address: "14 Marine Lines, Mumbai",
    pinCode: "400020",
    stateCode: "27",
    gstin: "27AAPFU0939F1ZV",
  },
  unregistered: {
    kind: "unregistered",
    legalName: "Kaveri Textiles",
    address: "12 Mill Road, Mysuru",
    pinCode: "570001",
    stateCode: "29",
  },
  sez: {
    kind: "sez",
    legalName: "Nila Exports Private Limited",
    address: "Plot 9, Cochin Special Economic Zone, Kakkanad",
    pinCode: "682037",
    stateCode: "32",
    gstin: "32AAGCB7383J1ZH",
    undertaking: { number: "SEZ/LUT/2026/17", date: "2026-04-01", validTo: "2099-03-31" },
  },
  dubai: {
    kind: "abroad",
    legalName: "Gulf Pearl Trading LLC",
    address: "Office 1204, Business Bay, Dubai",
    country: "AE",
  },
} as const;

/** Fills in the billing details of the organisation of the person with this e-mail, as the operation would. */
export async function giveBilling(
  { services: { database } }: Pick<TestServer, "services">,
  email: string,
  over: Partial<typeof organisations.$inferInsert> = {},
): Promise<void> {
  const [person] = await database.select({ id: people.organisationId }).from(people).where(eq(people.email, email));
  await database
    .update(organisations)
    .set({
      billingKind: "unregistered",
      legalName: "Kaveri Textiles",
      billingAddress: "12 Mill Road, Mysuru",
      pinCode: "570001",
      billingState: "29",
      billingCountry: "IN",
      ...over,
    })
    .where(eq(organisations.id, person?.id ?? ""));
}

const versions = new WeakMap<object, number>();

/** Changes what the operator's documents say of it, from now on. */
export async function sellerIs({ services }: Pick<TestServer, "services">, over: Partial<SellerTexts>): Promise<void> {
  const version = (versions.get(services) ?? 0) + 1;
  versions.set(services, version);
  await services.database.insert(siteTexts).values({
    section: "seller",
    version,
    content: { ...shippedSeller, ...over },
  });
}

/** A letter that is valid in every year of the tests. */
export const letterOfSeller = { number: "AD290426000001A", validFrom: "2020-04-01", validTo: "2099-03-31" };
