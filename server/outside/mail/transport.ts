/** A mail ready to go out. */
export interface Envelope {
  /** The same for every try, so that the receiver can drop a repeat. */
  messageId: string;
  to: string;
  /** Where replies go, if not to us. */
  replyTo?: string;
  subject: string;
  html: string;
  text: string;
  /**
   * Address by which the recipient or their mail program turns off mails of this kind (RFC 8058); absent for mails that
   * can't be turned off.
   */
  unsubscribe?: string;
  /** Whether somebody waits for it: it goes before other mails. */
  isUrgent?: boolean;
  /** `file` is the name in the file store, `filename` what the reader sees. */
  attachments: { file: string; filename: string; content: Uint8Array }[];
}

/** The receiving server said that this address does not exist. */
export class NoSuchMailbox extends Error {}

/** The receiving server got the whole mail but did not confirm it: another try may deliver a second copy. */
export class MayHaveCome extends Error {}

/** The server took too long to accept the sender and the recipient. Nothing was sent, and others may not be affected. */
export class NotAccepted extends Error {
  static readonly said = "The mail server took too long to ask for the mail: nothing was sent.";

  constructor(options?: ErrorOptions) {
    super(NotAccepted.said, options);
  }
}

/** The port for sending mail. */
export interface MailTransport {
  /**
   * @throws NoSuchMailbox when the address does not exist; MayHaveCome when it may have been delivered; NotAccepted when
   * the server hung before it had anything; any other error when it was not taken. All but the first are worth a retry
   */
  send(envelope: Envelope): Promise<void>;
  /** Checks the connection and returns the server's name. Sends nothing. @throws why mail can't be sent */
  check(): Promise<{ place: string }>;
  /** Breaks off what is being sent. */
  close(): void;
}
