/** A key that encrypts engine credentials; its name is stored with what it encrypted. */
export interface EngineKey {
  name: string;
  /** 32 bytes, for AES-256. */
  key: Buffer;
}

/** Parses `NAME:KEY,NAME:KEY`, the key in use first. A string says what is wrong. */
export function readEngineKeys(written: string): EngineKey[] | string {
  const keys: EngineKey[] = [];
  for (const part of written.split(",")) {
    const [, name, text] = /^\s*([\w-]{1,30}):([\w+/-]{43}=?)\s*$/.exec(part) ?? [];
    if (!name || !text) return "must look like NAME:KEY, with a key that 'openssl rand -base64 32' makes";
    const key = Buffer.from(text, "base64");
    if (new Set(key).size < 8) return `has a key ${name} that can be guessed`;
    if (keys.some((other) => other.name === name)) return `has two keys of the name ${name}`;
    keys.push({ name, key });
  }
  return keys;
}
