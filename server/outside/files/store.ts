import type { Readable } from "node:stream";

export interface StoreHealth {
  /** Where the store is, in words for an operator. */
  place: string;
  /** Free space; null where the store has no limit of its own. */
  freeBytes: number | null;
}

/** The port to the store of PDFs and article images. The server chooses all names. */
export interface FileStore {
  /** The origins of signed addresses other than this server, for the Content-Security-Policy. */
  origins: string[];
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Writes a stream that may not fit into memory. @throws the stream's error */
  writeStream(name: string, bytes: Readable): Promise<void>;
  /** @throws when there is no such file. */
  read(name: string): Promise<Uint8Array>;
  /** Checks the store without writing to it. @throws why it does not work */
  check(): Promise<StoreHealth>;
  /** The names of all files. */
  list(): AsyncIterable<string>;
  /** Also succeeds when there is no such file. */
  remove(name: string): Promise<void>;
  /**
   * An address that gives the file to anyone who has it, for `limits.signedUrlMinutes`; browsers save it as `shownAs`.
   */
  signedUrl(name: string, shownAs: string): Promise<string>;
}
