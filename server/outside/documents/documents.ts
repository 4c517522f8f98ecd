/** Renders a Typst template off the event loop. `data` reaches the template as JSON. */
export interface Documents {
  /** @throws when the template does not compile. */
  render(template: "proposal" | "invoice", data: unknown): Promise<Uint8Array>;
  close(): Promise<void>;
}
