import { writtenDay } from "../../contract/india-time.ts";
import { invalidField } from "../failures/failure.ts";
import { type Advance, type Entry, type Register, type RegisterWriter, taxIn } from "./register-entry.ts";

/**
 * From each day on, the total above which an invoice to an unregistered buyer in another state is listed on its own
 * (CGST Rules rule 59(4)).
 */
const largeFrom: readonly { from: string; abovePaise: number }[] = [
  { from: "2024-08-01", abovePaise: 10_000_000 },
  { from: "2017-07-01", abovePaise: 25_000_000 },
];

type Table = "b2b" | "exp" | "b2cl" | "b2cs";

/**
 * The return of outward supplies of one month, in the format of the portal's offline tool. The portal validates it
 * again, and the format changes with its releases: docs/money.md says what to check before filing.
 */
export function writeGstr1(): RegisterWriter {
  const entries: Entry[] = [];
  return { add: (some) => void entries.push(...some), end: (rest) => registerAsGstr1({ ...rest, entries }) };
}

function registerAsGstr1(register: Register): string {
  const { from, entries, advances, receiptNumbers, refundVoucherNumbers } = register;
  const counting = entries.filter(({ isCancelled }) => !isCancelled);
  const invoices = counting.filter(({ kind }) => kind === "invoice");
  const notes = counting.filter(({ kind }) => kind === "credit note");
  const issued = (of: Entry["kind"]) => entries.filter(({ kind }) => kind === of);
  const inTable = (of: Entry[], table: Table) => of.filter((entry) => tableOf(entry) === table);
  const [year, month] = from.split("-");
  const sections = {
    b2b: byRecipient(inTable(invoices, "b2b"), "inv", (entry) => ({ ...invoiceHead(entry), ...registeredPart(entry) })),
    b2cl: byKey(inTable(invoices, "b2cl"), ({ placeOfSupply }) => placeOfSupply).map(([pos, own]) => ({
      pos,
      inv: own.map((entry) => ({ ...invoiceHead(entry), itms: itemsOf(entry) })),
    })),
    exp: byKey(inTable(invoices, "exp"), payment).map(([exp_typ, own]) => ({
      exp_typ,
      inv: own.map((entry) => ({ ...invoiceHead(entry), itms: [flatItem(entry)] })),
    })),
    b2cs: smallOnes([...inTable(invoices, "b2cs"), ...inTable(notes, "b2cs")]),
    cdnr: byRecipient(inTable(notes, "b2b"), "nt", (entry) => ({ ...noteHead(entry), ...registeredPart(entry) })),
    cdnur: [...inTable(notes, "b2cl"), ...inTable(notes, "exp")].map((entry) => ({
      typ: tableOf(entry) === "b2cl" ? "B2CL" : payment(entry) === "WPAY" ? "EXPWP" : "EXPWOP",
      ...noteHead(entry),
      ...(tableOf(entry) === "b2cl" && { pos: entry.placeOfSupply }),
      itms: itemsOf(entry),
    })),
    at: advancesOf(advances.filter(({ kind }) => kind === "received")),
    txpd: advancesOf(advances.filter(({ kind }) => kind === "adjusted")),
  };
  const filled = Object.fromEntries(Object.entries(sections).filter(([, rows]) => rows.length > 0));
  const written = {
    gstin: gstinOf(register),
    fp: `${month}${year}`,
    ...filled,
    ...(entries.length > 0 && {
      hsn: {
        hsn_b2b: byCode(counting.filter(({ billTo }) => billTo.gstin)),
        hsn_b2c: byCode(counting.filter(({ billTo }) => !billTo.gstin)),
      },
    }),
    ...(entries.length + receiptNumbers.length + refundVoucherNumbers.length > 0 && {
      doc_issue: {
        doc_det: [
          documentsOf(1, issued("invoice")),
          documentsOf(5, issued("credit note")),
          documentsOf(6, receiptNumbers.map(issuedVoucher)),
          documentsOf(8, refundVoucherNumbers.map(issuedVoucher)),
        ].filter((each) => each.docs.length > 0),
      },
    }),
  };
  return `${JSON.stringify(written, null, 2)}\n`;
}

/**
 * The GSTIN on the month's documents, which the operator may have changed since.
 * @throws Failure invalid for a month with several: each has a return of its own (CGST Act section 25(4))
 */
function gstinOf({ gstin, entries }: Register): string {
  const [first = gstin, ...others] = new Set(entries.map(({ supplierGstin }) => supplierGstin));
  if (others.length === 0) return first;
  const all = [first, ...others].join(" and ");
  throw invalidField(
    "to",
    `Your documents of this month have the GSTINs ${all}, and each has a return of its own: please take the register as CSV, whose last column says which is which`,
  );
}

/** The table of the return that a supply belongs to; a credit note follows its invoice. */
function tableOf({ treatment, billTo, invoiceTotalPaise, issuedAt }: Entry): Table {
  if (treatment.startsWith("export")) return "exp";
  if (billTo.gstin) return "b2b";
  const large = largeFrom.find(({ from }) => from <= writtenDay(issuedAt));
  const isLarge = treatment === "to another state" && invoiceTotalPaise > (large?.abovePaise ?? 0);
  return isLarge ? "b2cl" : "b2cs";
}

const payment = ({ treatment }: Entry) => (treatment === "export with tax" ? "WPAY" : "WOPAY");

const rupees = (paise: number) => paise / 100;
const day = (instant: Date) => writtenDay(instant).split("-").toReversed().join("-");

const invoiceHead = (entry: Entry) => ({
  inum: entry.number,
  idt: day(entry.issuedAt),
  val: rupees(entry.totalPaise),
});

const noteHead = (entry: Entry) => ({
  ntty: "C",
  nt_num: entry.number,
  nt_dt: day(entry.issuedAt),
  val: rupees(entry.totalPaise),
});

const invoiceTypes: Partial<Record<Entry["treatment"], string>> = {
  "SEZ with tax": "SEWP",
  "SEZ under undertaking": "SEWOP",
};

const registeredPart = (entry: Entry) => ({
  pos: entry.placeOfSupply,
  rchrg: "N",
  inv_typ: invoiceTypes[entry.treatment] ?? "R",
  itms: itemsOf(entry),
});

const rateOf = ({ taxes }: Pick<Entry, "taxes">) => taxes.reduce((sum, { basisPoints }) => sum + basisPoints, 0) / 100;

/** One item, as a document has only one rate. */
const itemsOf = (entry: Entry) => [{ num: 1, itm_det: flatItem(entry) }];

function flatItem(entry: Entry) {
  const isInterState = entry.treatment !== "within the state";
  return {
    rt: rateOf(entry),
    txval: rupees(entry.taxablePaise),
    ...(isInterState
      ? { iamt: rupees(taxIn(entry, "IGST")) }
      : { camt: rupees(taxIn(entry, "CGST")), samt: rupees(taxIn(entry, "SGST", "UTGST")) }),
    csamt: 0,
  };
}

/** Small supplies to unregistered buyers, by place and rate, net of credit notes. */
function smallOnes(entries: Entry[]) {
  return byKey(entries, (entry) => `${entry.placeOfSupply} ${rateOf(entry)}`).flatMap(([, own]) => {
    const [first] = own;
    if (!first) return [];
    const isInterState = first.treatment !== "within the state";
    const total = (of: (entry: Entry) => number) => rupees(netOf(own, of));
    return [
      {
        sply_ty: isInterState ? "INTER" : "INTRA",
        typ: "OE",
        pos: first.placeOfSupply,
        rt: rateOf(first),
        txval: total(({ taxablePaise }) => taxablePaise),
        ...(isInterState
          ? { iamt: total((entry) => taxIn(entry, "IGST")) }
          : {
              camt: total((entry) => taxIn(entry, "CGST")),
              samt: total((entry) => taxIn(entry, "SGST", "UTGST")),
            }),
        csamt: 0,
      },
    ];
  });
}

/**
 * Tables 11A and 11B: taxed advances by place, kind of supply and rate. One place can have both kinds, as a supply to
 * an SEZ in our own state is inter-state.
 */
function advancesOf(advances: Advance[]) {
  const taxed = advances.filter((advance) => rateOf(advance) > 0);
  const isWithinState = ({ treatment }: Advance) => treatment === "within the state";
  return byKey(taxed, (advance) => `${advance.placeOfSupply} ${isWithinState(advance)}`).map(([, ofPlace]) => {
    const isInterState = !ofPlace.some(isWithinState);
    return {
      pos: ofPlace[0]?.placeOfSupply,
      sply_ty: isInterState ? "INTER" : "INTRA",
      itms: byKey(ofPlace, (advance) => String(rateOf(advance))).map(([rate, own]) => {
        const total = (of: (advance: Advance) => number) => rupees(own.reduce((sum, each) => sum + of(each), 0));
        return {
          rt: Number(rate),
          ad_amt: total(({ taxablePaise }) => taxablePaise),
          ...(isInterState
            ? { iamt: total((each) => taxIn(each, "IGST")) }
            : {
                camt: total((each) => taxIn(each, "CGST")),
                samt: total((each) => taxIn(each, "SGST", "UTGST")),
              }),
          csamt: 0,
        };
      }),
    };
  });
}

const netOf = (entries: Entry[], of: (entry: Entry) => number) =>
  entries.reduce((sum, entry) => sum + (entry.kind === "invoice" ? of(entry) : -of(entry)), 0);

/** The summary by service accounting code and rate, net of credit notes. Services have no quantity. */
function byCode(entries: Entry[]) {
  return byKey(entries, (entry) => `${entry.sac} ${rateOf(entry)}`).flatMap(([, own], index) => {
    const [first] = own;
    const total = (of: (entry: Entry) => number) => rupees(netOf(own, of));
    return first
      ? [
          {
            num: index + 1,
            hsn_sc: first.sac,
            uqc: "NA",
            qty: 0,
            rt: rateOf(first),
            txval: total(({ taxablePaise }) => taxablePaise),
            iamt: total((entry) => taxIn(entry, "IGST")),
            camt: total((entry) => taxIn(entry, "CGST")),
            samt: total((entry) => taxIn(entry, "SGST", "UTGST")),
            csamt: 0,
          },
        ]
      : [];
  });
}

const issuedVoucher = (number: string) => ({ number, isCancelled: false });

/** The first and last number of each series, and how many were cancelled at the e-invoice portal. */
function documentsOf(doc_num: number, entries: Pick<Entry, "number" | "isCancelled">[]) {
  const docs = byKey(entries, ({ number }) => number.slice(0, number.lastIndexOf("/"))).map(([, own], index) => ({
    num: index + 1,
    from: own[0]?.number ?? "",
    to: own.at(-1)?.number ?? "",
    totnum: own.length,
    cancel: own.filter(({ isCancelled }) => isCancelled).length,
    net_issue: own.filter(({ isCancelled }) => !isCancelled).length,
  }));
  return { doc_num, docs };
}

function byRecipient<Row>(entries: Entry[], name: "inv" | "nt", row: (entry: Entry) => Row) {
  return byKey(entries, ({ billTo }) => billTo.gstin ?? "").map(([ctin, own]) => ({ ctin, [name]: own.map(row) }));
}

const byKey = <Of>(entries: Of[], key: (entry: Of) => string) => [...Map.groupBy(entries, key)];
