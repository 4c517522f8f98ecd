/** A mail ready to go out. */
export interface Envelope {
  /** Stays the same when a mail is tried again, so that a receiver can drop a repeat. */
  messageId: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** `file` is the name in the file store, `filename` what the reader sees. */
  attachments: { file: string; filename: string; content: Uint8Array }[];
}

/** The port to where mail goes. */
export interface MailTransport {
  /** @throws when the mail was not taken; it is tried again later. */
  send(envelope: Envelope): Promise<void>;
  close(): void;
}
