import type { Hono } from "hono";
import type { Services } from "../services.ts";
import { mountDemoMailbox } from "./mailbox.ts";
import { mountSandbox } from "./sandbox.ts";
import { mountSandboxIrp } from "./sandbox-irp.ts";

/**
 * Adds the sandbox gateway where no real one is configured, the stand-in of the invoice registration portal in demo mode, and
 * the mailbox page where demo mode has no mail server.
 */
export function mountDemo(server: Hono, services: Services): void {
  if (!services.env.payu) mountSandbox(server, services);
  if (services.env.demo && !services.env.eInvoices) mountSandboxIrp(server, services);
  if (services.env.demo && !services.env.smtpUrl) mountDemoMailbox(server, services);
}
