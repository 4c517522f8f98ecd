import type { Hono } from "hono";
import type { Services } from "../services.ts";
import { mountStandIns } from "./engines/stand-ins.ts";
import { mountDemoMailbox } from "./mailbox.ts";
import { mountSandbox } from "./sandbox.ts";
import { mountSandboxIrp } from "./sandbox-irp.ts";

/**
 * Adds the sandbox gateway if no real one is configured; in demo mode also the stand-ins of the invoice registration
 * portal and of engines, and the mailbox page if there is no mail server.
 */
export function mountDemo(server: Hono, services: Services): void {
  if (!services.env.payu) mountSandbox(server, services);
  if (services.env.demo && !services.env.eInvoices) mountSandboxIrp(server, services);
  if (services.env.demo) mountStandIns(server);
  if (services.env.demo && !services.env.smtpUrl) mountDemoMailbox(server, services);
}
