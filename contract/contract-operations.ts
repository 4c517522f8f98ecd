import { z } from "zod";
import { AdditionPrice, Contract, ContractDetails, contractList, ContractQuerySchema } from "./contracts.ts";
import { Day, Email, line, Message, Rupees } from "./fields.ts";
import { limits } from "./limits.ts";
import { listPage } from "./lists.ts";
import { operation } from "./operation.ts";
import { SelectedDevices } from "./quotes.ts";

const Addition = z.object({
  contract_id: z.uuid(),
  selectedDevices: SelectedDevices,
  /** The first day of the added devices, from today to the end of the contract. */
  from: Day,
});
export type Addition = z.infer<typeof Addition>;

const NewAddition = Addition.extend({
  /** Chosen by the client: repeating the call makes no second quote. */
  quote_id: z.uuid(),
  /** The total shown to the caller: 409 when it has changed since. */
  total_cost: Rupees,
});
export type NewAddition = z.infer<typeof NewAddition>;

const Reason = line(limits.contractReasonLengthMax, "Please say why");
const id = z.object({ id: z.uuid() });

const pricesAddition = () =>
  operation({
    method: "post",
    summary: "What devices cost that are added to a contract: their part of its year, by days",
    input: Addition,
    answer: AdditionPrice,
  });
const addsDevices = () =>
  operation({
    method: "post",
    summary: `Make the quote that adds devices to a contract and ends with it; it can be bought for ${limits.coTermQuoteDays} days, and its first day stays. 409 for another total than was shown`,
    input: NewAddition,
    answer: Message.extend({ quote_id: z.uuid(), number: z.string() }),
    status: 201,
  });
const asksLess = (summary: string) =>
  operation({
    method: "post",
    summary: `${summary} A repeated id asks once; 409 while a request for the line is open, or for more than it has`,
    input: z.object({
      /** Chosen by the client: repeating the call makes no second request. */
      id: z.uuid(),
      contract_id: z.uuid(),
      series: z.number().int().min(1),
      quantity: z.number("Please enter a number").int().min(1).max(limits.deviceCountMax),
      wished_on: Day,
      reason: Reason,
    }),
    answer: Message,
    status: 201,
  });
const readsContract = () =>
  operation({
    method: "get",
    summary: "A contract with its lines, what was changed, and what comes next",
    input: id,
    answer: ContractDetails,
  });

export const contractOperations = {
  "user/contracts": operation({
    method: "get",
    summary: "The organization's contracts with all that they hold, the newest first",
    input: z.object({}),
    answer: z.object({ contracts: z.array(ContractDetails) }),
  }),
  "user/contracts/price-addition": pricesAddition(),
  "user/contracts/add-devices": addsDevices(),
  "user/contracts/ask-less": asksLess("Ask for fewer devices of a line; an administrator decides."),
  "user/contracts/withdraw-less": operation({
    method: "post",
    summary: "Take back a request for fewer devices that nobody has decided; 409 for one of ours",
    input: id,
    answer: Message,
  }),
  "user/contracts/choose-renewal": operation({
    method: "post",
    summary: `Choose whether a contract renews by itself: its renewal quote is then accepted ${limits.autoRenewalDays} days before the end. Nothing is charged by it; 409 later than that`,
    input: z.object({ contract_id: z.uuid(), automatic: z.boolean() }),
    answer: Message,
  }),
  "user/contracts/dispute": operation({
    method: "post",
    summary: "Dispute an announced true-up: it is not billed before an administrator has decided",
    input: z.object({ id: z.uuid(), comment: Reason }),
    answer: Message,
  }),
  "partner/contracts": operation({
    method: "post",
    summary: `The contracts of the partner's customers, or of one of them, what ends first on top. ${contractList.summary}`,
    input: ContractQuerySchema.extend({ email: Email.optional() }),
    answer: z.object({ contracts: z.array(Contract), ...listPage }),
  }),
  "partner/contracts/contract": readsContract(),
  "partner/contracts/price-addition": pricesAddition(),
  "partner/contracts/add-devices": addsDevices(),
  "admin/contracts": operation({
    method: "get",
    summary: `All contracts, what ends first on top; show=to_decide those in which something waits, show=ends_soon those that end within 60 days. ${contractList.summary}`,
    input: ContractQuerySchema,
    answer: z.object({ contracts: z.array(Contract), ...listPage }),
  }),
  "admin/contracts/contract": readsContract(),
  "admin/contracts/price-addition": pricesAddition(),
  "admin/contracts/add-devices": addsDevices(),
  "admin/contracts/ask-less": asksLess(
    "Have devices of a line taken away that no customer asks for, as of one that does not pay; what it comes to is shown and decided as for a customer’s request.",
  ),
  "admin/contracts/preview-less": operation({
    method: "post",
    summary:
      "What fewer devices come to from a day on: the credit, tax included, how much of it lowers what is still owed, and how much can be given back",
    input: z.object({ id: z.uuid(), effective_on: Day }),
    answer: z.object({
      credit: Rupees,
      lowers: Rupees,
      refundable: Rupees,
      /** The money came by bank transfer, so somebody has to transfer it back. */
      by_hand: z.boolean(),
      days: z.number().int(),
      days_of_year: z.number().int(),
    }),
  }),
  "admin/contracts/decide-less": operation({
    method: "post",
    summary:
      "Agree to fewer devices from a day on, or refuse. Agreed, they leave the contract, a credit note is issued and the money goes back, above the operator's limit when another main administrator agrees. 409 when it is decided already",
    input: z.object({
      id: z.uuid(),
      agreed: z.boolean(),
      /** For a request that is agreed to; not before today. */
      effective_on: Day.nullable(),
      /** The customer sees this. */
      answer: Reason,
    }),
    answer: Message,
  }),
  "admin/contracts/refund-again": operation({
    method: "post",
    summary: "Give the money of fewer devices back once more, where the refund before failed or was refused",
    input: z.object({ change_id: z.uuid() }),
    answer: Message,
  }),
  "admin/contracts/decide-true-up": operation({
    method: "post",
    summary: "Decide a disputed true-up: bill it all the same, or drop it",
    input: z.object({ id: z.uuid(), billed: z.boolean(), answer: Reason }),
    answer: Message,
  }),
};
