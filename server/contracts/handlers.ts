import { quoteNumber } from "../../contract/numbers.ts";
import type { Input } from "../../contract/operations.ts";
import type { Handlers } from "../call.ts";
import type { Services } from "../services.ts";
import { addDevices, priceAddition } from "./add-devices.ts";
import { askForLess, withdrawLess } from "./ask-for-less.ts";
import { chooseRenewal } from "./choose-renewal.ts";
import { decideTrueUp, disputeTrueUp } from "./decide-true-up.ts";
import type { ContractScope } from "./find-contract.ts";
import { listAllContracts, listContractsOfPartner } from "./queries.ts";
import { readContract, readContracts } from "./read-contract.ts";

async function added(services: Services, scope: ContractScope, asked: Input<"user/contracts/add-devices">) {
  const { id, serial } = await addDevices(services, scope, asked);
  const number = quoteNumber(serial);
  return { message: `The quote ${number} is made. Its proposal is on its way by e-mail.`, quote_id: id, number };
}

export const contractHandlers = {
  "user/contracts": async (services, { scope }) => ({ contracts: await readContracts(services, scope) }),
  "user/contracts/price-addition": (services, { scope }, asked) => priceAddition(services, scope, asked),
  "user/contracts/add-devices": (services, { scope }, asked) => added(services, scope, asked),
  "user/contracts/ask-less": async (services, { scope }, asked) => {
    await askForLess(services, scope, asked);
    return { message: "Your request is sent. Nothing changes until we have decided; we will tell you." };
  },
  "user/contracts/withdraw-less": async (services, { scope }, { id }) => {
    await withdrawLess(services, scope, id);
    return { message: "The request is withdrawn. Nothing changes." };
  },
  "user/contracts/choose-renewal": async (services, { scope }, chosen) => ({
    message: await chooseRenewal(services, scope, chosen),
  }),
  "user/contracts/dispute": async (services, { scope }, disputed) => {
    await disputeTrueUp(services, scope, disputed);
    return { message: "Disputed. It is not billed until our team has decided." };
  },
  "partner/contracts": (services, { scope }, query) => listContractsOfPartner(services, scope, query),
  "partner/contracts/contract": (services, { scope }, { id }) => readContract(services, scope, id),
  "partner/contracts/price-addition": (services, { scope }, asked) => priceAddition(services, scope, asked),
  "partner/contracts/add-devices": (services, { scope }, asked) => added(services, scope, asked),
  "admin/contracts": (services, { scope }, query) => listAllContracts(services, scope, query),
  "admin/contracts/contract": (services, { scope }, { id }) => readContract(services, scope, id),
  "admin/contracts/price-addition": (services, { scope }, asked) => priceAddition(services, scope, asked),
  "admin/contracts/add-devices": (services, { scope }, asked) => added(services, scope, asked),
  "admin/contracts/ask-less": async (services, { scope }, asked) => {
    await askForLess(services, scope, asked);
    return { message: "You find it under Fewer devices. Nothing changes until it is agreed to." };
  },
  "admin/contracts/decide-true-up": async (services, { scope }, decided) => ({
    message: await decideTrueUp(services, scope, decided),
  }),
} satisfies Partial<Handlers>;
