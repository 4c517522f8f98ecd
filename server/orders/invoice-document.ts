import { amountInWords } from "../../contract/amount-in-words.ts";
import { shippedBrand } from "../../contract/brand.ts";
import { states } from "../../contract/gstin.ts";
import type { invoices } from "../database/schema/index.ts";
import { paperAmount, paperCount, paperDate, paperPercent, paperPhone } from "../outside/documents/paper.ts";

type InvoiceRow = typeof invoices.$inferSelect;

/** What the invoice's template is filled with: the fields of rule 46 of the CGST Rules, ready for paper. */
export function invoiceData({ number, issuedAt, content }: InvoiceRow) {
  const { billTo, supplier = shippedBrand } = content;
  return {
    brand: supplier,
    number,
    date: paperDate(issuedAt),
    paymentId: content.paymentId,
    supplierState: stateName(supplier.stateCode),
    billTo: {
      organization: billTo.organizationName,
      rows: [
        billTo.name,
        ...(billTo.address ? [billTo.address] : []),
        `State: ${stateName(content.placeOfSupply)}`,
        `GSTIN: ${billTo.gstin ?? "not registered"}`,
        `${billTo.email}, ${paperPhone(billTo.phone)}`,
      ],
    },
    placeOfSupply: stateName(content.placeOfSupply),
    sac: [...new Set(content.lines.map((line) => line.sac))].join(", "),
    lines: content.lines.map(({ description, sac, quantity, ratePaise, amountPaise }) => ({
      description,
      sac,
      quantity: paperCount(quantity),
      rate: paperAmount(ratePaise),
      amount: paperAmount(amountPaise),
    })),
    subtotal: paperAmount(content.subtotalPaise),
    discount: content.discountPaise > 0 ? paperAmount(content.discountPaise) : null,
    taxable: paperAmount(content.taxablePaise),
    taxes: content.taxes.map((tax) => ({
      name: tax.name,
      percent: paperPercent(tax.basisPoints),
      amount: paperAmount(tax.amountPaise),
    })),
    total: paperAmount(content.totalPaise),
    totalInWords: amountInWords(content.totalPaise),
  };
}

const stateName = (code: string) => `${states[code] ?? ""} (${code})`;
