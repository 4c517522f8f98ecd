import type { Readable } from "node:stream";

export interface StoreHealth {
  /** Where it is, as an operator knows it. */
  place: string;
  /** Room that is left; null where the store has no end of its own. */
  freeBytes: number | null;
}

/** The port to where PDFs and the images of articles live. Names are the server's own. */
export interface FileStore {
  /** Where signed addresses lead besides this server, for the Content-Security-Policy. */
  origins: string[];
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Writes what may not fit into memory, as it comes. @throws what the stream fails with */
  writeStream(name: string, bytes: Readable): Promise<void>;
  /** @throws when there is no such file. */
  read(name: string): Promise<Uint8Array>;
  /** Whether it works, as far as can be told without writing anything. @throws why it does not */
  check(): Promise<StoreHealth>;
  /** The names of all files. */
  list(): AsyncIterable<string>;
  /** Also succeeds when there is no such file. */
  remove(name: string): Promise<void>;
  /** An address that gives the file to whoever holds it, for `limits.signedUrlMinutes`; it is saved as `shownAs`. */
  signedUrl(name: string, shownAs: string): Promise<string>;
}
