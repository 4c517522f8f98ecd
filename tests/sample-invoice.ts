import { invoiceData } from "../server/billing/invoice-document.ts";

/** The data of an invoice's template; `name` is both the recipient's and the organisation's. */
export function sampleInvoice({ number = "SOC/26-27/000001", lines = 1, name = "Kaveri Textiles" } = {}) {
  return invoiceData({
    id: "",
    orderId: "",
    financialYear: "26-27",
    serial: 1,
    number,
    issuedAt: new Date(),
    file: null,
    content: {
      billTo: { organizationName: name, name, email: "asha.rao@example.in", phone: "+919876543210" },
      placeOfSupply: "29",
      lines: Array.from({ length: lines }, () => ({
        description: "Server",
        sac: "998316",
        quantity: 1,
        ratePaise: 100,
        amountPaise: 100,
      })),
      subtotalPaise: 4000,
      discountPaise: 0,
      taxablePaise: 4000,
      taxes: [],
      totalPaise: 4000,
      paymentId: "1",
    },
  });
}
