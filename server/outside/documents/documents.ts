export type TemplateName = "proposal" | "invoice" | "creditNote";

/** Renders a Typst template off the event loop. `data` reaches the template as JSON. */
export interface Documents {
  /** @throws when the template does not compile, takes too long, or its thread dies. */
  render(template: TemplateName, data: unknown): Promise<Uint8Array>;
  /** Fails what is still waiting. */
  close(): Promise<void>;
}
