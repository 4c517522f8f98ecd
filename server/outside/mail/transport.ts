/** A mail ready to go out. */
export interface Envelope {
  /** Stays the same when a mail is tried again, so that a receiver can drop a repeat. */
  messageId: string;
  to: string;
  /** Where an answer goes, if not back to us. */
  replyTo?: string;
  subject: string;
  html: string;
  text: string;
  /** By which the receiver, or their mail program, turns mails of this kind off (RFC 8058); none for those that must come. */
  unsubscribe?: string;
  /** `file` is the name in the file store, `filename` what the reader sees. */
  attachments: { file: string; filename: string; content: Uint8Array }[];
}

/** The receiving server said that this address does not exist. */
export class NoSuchMailbox extends Error {}

/** The receiving server was given the whole mail and did not say whether it took it: another try may be another copy. */
export class MayHaveCome extends Error {}

/** The port to where mail goes. */
export interface MailTransport {
  /** @throws NoSuchMailbox when it never will be taken; MayHaveCome when nobody knows; anything else when it was not taken now and is worth another try. */
  send(envelope: Envelope): Promise<void>;
  /** Whether mail would be taken, and by whom. Sends nothing. @throws why not */
  check(): Promise<{ place: string }>;
  close(): void;
}
